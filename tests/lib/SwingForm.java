/* The form of form_of.py in Swing: java SwingForm.java
 *
 * It prints a line "NAME=VALUE" for each thing that is done with it. */
import java.awt.FlowLayout;
import java.awt.GridLayout;
import javax.swing.BoxLayout;
import javax.swing.ButtonGroup;
import javax.swing.JButton;
import javax.swing.JCheckBox;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JList;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JPanel;
import javax.swing.JPasswordField;
import javax.swing.JRadioButton;
import javax.swing.JSlider;
import javax.swing.JSpinner;
import javax.swing.JTabbedPane;
import javax.swing.JTextField;
import javax.swing.SpinnerNumberModel;
import javax.swing.SwingUtilities;

public class SwingForm {
    static final String[] ROWS = { "Pear", "Plum" };

    static void say(String name, Object value) {
        System.out.println(name + "=" + value);
        System.out.flush();
    }

    static <T extends JComponent> T row(JPanel form, String name, T field) {
        JLabel label = new JLabel(name);

        label.setLabelFor(field);
        form.add(label);
        form.add(field);
        return field;
    }

    static JButton button(String name, String told) {
        JButton button = new JButton(name);

        button.addActionListener(event -> say(told, ""));
        return button;
    }

    static JPanel order() {
        JPanel page = new JPanel(), form = new JPanel(new GridLayout(0, 2)), pay = new JPanel(new FlowLayout());
        ButtonGroup group = new ButtonGroup();
        JList<String> fruits = new JList<>(ROWS);

        page.setLayout(new BoxLayout(page, BoxLayout.Y_AXIS));
        JTextField name = row(form, "Name", new JTextField(12));
        name.addCaretListener(event -> say("Name", name.getText()));
        row(form, "Password", new JPasswordField(12));
        JComboBox<String> size = row(form, "Size", new JComboBox<>(new String[] { "Small", "Medium", "Large" }));
        size.addActionListener(event -> say("Size", size.getSelectedItem()));
        JSlider volume = row(form, "Volume", new JSlider(0, 100, 0));
        volume.addChangeListener(event -> say("Volume", volume.getValue()));
        JSpinner count = row(form, "Count", new JSpinner(new SpinnerNumberModel(0, 0, 100, 1)));
        count.addChangeListener(event -> say("Count", count.getValue()));
        JCheckBox gift = new JCheckBox("Gift");
        gift.addActionListener(event -> say("Gift", gift.isSelected()));
        page.add(form);
        page.add(gift);
        for (String way : new String[] { "Card", "Cash" }) {
            JRadioButton radio = new JRadioButton(way, way.equals("Card"));
            radio.addActionListener(event -> say("Pay", way));
            group.add(radio);
            pay.add(radio);
        }
        page.add(pay);
        fruits.addListSelectionListener(event -> say("Fruit", fruits.getSelectedValue()));
        page.add(fruits);
        for (String fruit : ROWS) {
            JPanel line = new JPanel(new FlowLayout());
            line.add(new JLabel(fruit));
            line.add(button("Add", "Add " + fruit));
            page.add(line);
        }
        page.add(button("Send", "Send"));
        return page;
    }

    static JMenuBar menus() {
        JMenuBar bar = new JMenuBar();
        JMenu file = new JMenu("File");

        for (String name : new String[] { "Copy", "Print" }) {
            JMenuItem item = new JMenuItem(name);
            item.addActionListener(event -> say("menu", name));
            file.add(item);
        }
        bar.add(file);
        return bar;
    }

    public static void main(String[] args) {
        SwingUtilities.invokeLater(() -> {
            JFrame frame = new JFrame("Form");
            JTabbedPane book = new JTabbedPane();

            book.addTab("Order", order());
            book.addTab("Notes", button("Empty", "Empty"));
            frame.add(book);
            frame.setJMenuBar(menus());
            frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
            frame.pack();
            frame.setLocation(200, 40);
            frame.setVisible(true);
        });
    }
}
