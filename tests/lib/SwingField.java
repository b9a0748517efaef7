/* A window of Swing with a text area: java SwingField.java TITLE FILE
 *
 * It keeps FILE a JSON object of what the field holds. */
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.swing.JFrame;
import javax.swing.JScrollPane;
import javax.swing.JTextArea;
import javax.swing.SwingUtilities;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;

public class SwingField {
    static void keep(Path path, String text) {
        StringBuilder json = new StringBuilder("{\"field\": \"");

        for (char c : text.toCharArray())
            json.append(String.format("\\u%04x", (int) c));
        try {
            Path fresh = Path.of(path + ".new");
            Files.write(fresh, json.append("\"}").toString().getBytes(StandardCharsets.UTF_8));
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (java.io.IOException error) {
            throw new java.io.UncheckedIOException(error);
        }
    }

    public static void main(String[] args) {
        SwingUtilities.invokeLater(() -> {
            JFrame frame = new JFrame(args[0]);
            JTextArea field = new JTextArea(12, 50);
            Path path = Path.of(args[1]);

            field.getDocument().addDocumentListener(new DocumentListener() {
                public void insertUpdate(DocumentEvent event) { keep(path, field.getText()); }
                public void removeUpdate(DocumentEvent event) { keep(path, field.getText()); }
                public void changedUpdate(DocumentEvent event) { }
            });
            keep(path, "");
            frame.add(new JScrollPane(field));
            frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
            frame.pack();
            frame.setLocation(60, 60);
            frame.setVisible(true);
        });
    }
}
