/* A form of Swing with a dialog in front: java SwingFronts.java KIND
 *
 * KIND: "owned", a message box of the window "Order"; "free", one of no window; "second", the same as owned with another window, which
 * it holds as well; "document", a dialog that holds Order alone, with another window; "open", a dialog that holds nothing. It prints a
 * line for each thing that it receives. */
import java.awt.Dialog;
import javax.swing.JButton;
import javax.swing.JDialog;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JOptionPane;
import javax.swing.JPanel;
import javax.swing.JTextField;
import javax.swing.SwingUtilities;
import javax.swing.Timer;
import javax.swing.event.CaretEvent;

public class SwingFronts {
    static JFrame form(String title, int x) {
        JFrame frame = new JFrame(title);
        JPanel panel = new JPanel();
        JTextField name = new JTextField(12);
        JLabel label = new JLabel("Name");
        JButton send = new JButton("Send");
        JMenuItem copy = new JMenuItem("Copy");
        JMenu menu = new JMenu("File");
        JMenuBar bar = new JMenuBar();

        label.setLabelFor(name);
        name.addCaretListener((CaretEvent event) -> System.out.println("name " + name.getText()));
        send.addActionListener(event -> System.out.println("sent"));
        copy.addActionListener(event -> System.out.println("copied"));
        menu.add(copy);
        bar.add(menu);
        frame.setJMenuBar(bar);
        panel.add(label);
        panel.add(name);
        panel.add(send);
        frame.add(panel);
        frame.setBounds(x, 0, 420, 260);
        frame.setVisible(true);
        return frame;
    }

    static void ask(String kind, JFrame frame) {
        if (kind.equals("owned") || kind.equals("second") || kind.equals("free")) {
            JOptionPane.showMessageDialog(kind.equals("free") ? null : frame, "Hello", "Asking", JOptionPane.INFORMATION_MESSAGE);
            return;
        }
        JDialog dialog = new JDialog(frame, "Asking", kind.equals("open") ? Dialog.ModalityType.MODELESS
                                     : Dialog.ModalityType.DOCUMENT_MODAL);
        dialog.add(new JButton("OK"));
        dialog.setBounds(100, 300, 200, 100);
        dialog.setVisible(true);
    }

    public static void main(String[] args) {
        SwingUtilities.invokeLater(() -> {
            JFrame frame = form("Order", 0);
            if (args[0].equals("second") || args[0].equals("document"))
                form("Second", 500);
            Timer timer = new Timer(300, event -> ask(args[0], frame));
            timer.setRepeats(false);
            timer.start();
        });
    }
}
