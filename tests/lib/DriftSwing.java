/* The order form of drift_form.py in Swing: java DriftSwing.java PLAN
 *
 * The plan is a file of lines KEY=VALUE here, because Java reads no JSON: title, log, names.KEY, rows and more (with commas between),
 * font, tip, delay. */
import java.awt.Color;
import java.awt.Font;
import java.awt.GridLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import javax.swing.BorderFactory;
import javax.swing.JButton;
import javax.swing.JDialog;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JTextField;
import javax.swing.SwingUtilities;
import javax.swing.Timer;
import javax.swing.UIManager;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.plaf.FontUIResource;

public class DriftSwing {
    static final Map<String, String> PLAN = new HashMap<>();
    static final JFrame FRAME = new JFrame();
    static final JPanel FORM = new JPanel(new GridLayout(0, 1, 4, 4));
    static final JLabel SAID = new JLabel("nothing added");

    static String called(String key) { return PLAN.get("names." + key); }

    static void note(String line) {
        try {
            Files.writeString(Path.of(PLAN.get("log")), line + "\n", StandardCharsets.UTF_8, StandardOpenOption.CREATE,
                              StandardOpenOption.APPEND);
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    static JButton button(String text, String name, Runnable effect) {
        JButton made = new JButton(text);

        made.addActionListener(event -> {
            note("{\"press\": \"" + name + "\"}");
            Timer later = new Timer(Integer.parseInt(PLAN.get("delay")), passed -> effect.run());
            later.setRepeats(false);
            later.start();
        });
        return made;
    }

    static JTextField field(String key, String plain) {
        JTextField made = new JTextField(20);
        JLabel label = new JLabel(called(key));

        label.setLabelFor(made);
        FORM.add(label);
        FORM.add(made);
        made.getDocument().addDocumentListener(new DocumentListener() {
            void changed() { note("{\"field\": \"" + plain + "\", \"value\": \"" + made.getText().replace("\"", "'") + "\"}"); }
            public void insertUpdate(DocumentEvent event) { changed(); }
            public void removeUpdate(DocumentEvent event) { changed(); }
            public void changedUpdate(DocumentEvent event) { }
        });
        return made;
    }

    static void form() {
        JTextField name = field("name", "Name");

        field("mail", "Mail");
        for (String row : PLAN.get("rows").split(",")) {
            JPanel box = new JPanel();
            box.setBorder(BorderFactory.createTitledBorder(row));
            box.getAccessibleContext().setAccessibleName(row);
            box.add(button(called("add"), "Add " + row, () -> SAID.setText("added " + row)));
            FORM.add(box);
        }
        for (String more : PLAN.get("more").split(",")) {
            if (!more.isEmpty())
                FORM.add(button(more, more, () -> { }));
        }
        FORM.add(button(called("remove"), "Remove", () -> { }));
        FORM.add(button(called("send"), "Send", () -> FRAME.setTitle("sent " + name.getText())));
        FORM.add(SAID);
    }

    static void tip() {
        JDialog dialog = new JDialog(FRAME, called("tip"), true);
        JPanel box = new JPanel();

        box.add(new JLabel(called("tip")));
        box.add(button(called("ok"), "OK", dialog::dispose));
        dialog.add(box);
        dialog.pack();
        dialog.setLocationRelativeTo(FRAME);
        dialog.setVisible(true);
    }

    static void themed(int points) {
        for (Object key : UIManager.getDefaults().keySet().toArray()) {
            if (key.toString().endsWith(".font"))
                UIManager.put(key, new FontUIResource("Serif", Font.PLAIN, points));
            else if (key.toString().endsWith(".background"))
                UIManager.put(key, new Color(40, 40, 40));
        }
    }

    public static void main(String[] args) throws IOException {
        for (String line : Files.readAllLines(Path.of(args[0]), StandardCharsets.UTF_8)) {
            int at = line.indexOf('=');
            PLAN.put(line.substring(0, at), line.substring(at + 1));
        }
        SwingUtilities.invokeLater(() -> {
            if (!PLAN.get("font").equals("0"))
                themed(Integer.parseInt(PLAN.get("font")));
            form();
            FRAME.setTitle(PLAN.get("title"));
            FRAME.add(FORM);
            FRAME.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
            FRAME.pack();
            FRAME.setVisible(true);
            if (PLAN.get("tip").equals("true"))
                tip();
        });
    }
}
