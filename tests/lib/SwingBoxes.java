/* A window of Swing with boxes, numbers, sliders and a menu: java SwingBoxes.java
 *
 * It prints a line "NAME=VALUE" for each change. */
import java.awt.GridLayout;
import java.util.Calendar;
import java.util.GregorianCalendar;
import javax.swing.JComboBox;
import javax.swing.JComponent;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JMenu;
import javax.swing.JMenuBar;
import javax.swing.JMenuItem;
import javax.swing.JOptionPane;
import javax.swing.JPanel;
import javax.swing.JScrollBar;
import javax.swing.JSlider;
import javax.swing.JSpinner;
import javax.swing.SpinnerDateModel;
import javax.swing.SpinnerListModel;
import javax.swing.SpinnerModel;
import javax.swing.SpinnerNumberModel;
import javax.swing.SwingUtilities;

public class SwingBoxes {
    static final JPanel FORM = new JPanel(new GridLayout(0, 2));

    static void say(String name, Object value) {
        System.out.println(name + "=" + value);
        System.out.flush();
    }

    static <T extends JComponent> T add(String name, T field) {
        field.getAccessibleContext().setAccessibleName(name);
        FORM.add(new JLabel(name + ":"));
        FORM.add(field);
        return field;
    }

    static JComboBox<String> box(String name, String... options) {
        JComboBox<String> box = add(name, new JComboBox<>(options));

        box.addActionListener(event -> say(name, box.getSelectedItem()));
        return box;
    }

    static JSpinner spin(String name, SpinnerModel model) {
        JSpinner spin = add(name, new JSpinner(model));

        spin.addChangeListener(event -> say(name, spin.getValue()));
        return spin;
    }

    static JSlider slider(String name, int most) {
        JSlider slider = add(name, new JSlider(0, most, 50));

        slider.addChangeListener(event -> say(name, slider.getValue()));
        return slider;
    }

    static JMenuItem item(JMenu menu, String name, Runnable chosen) {
        JMenuItem item = new JMenuItem(name);

        item.addActionListener(event -> { say("menu", name); chosen.run(); });
        menu.add(item);
        return item;
    }

    static JMenuBar menus(JFrame frame) {
        JMenuBar bar = new JMenuBar();
        JMenu file = new JMenu("File"), more = new JMenu("More");

        item(file, "Count", () -> { });
        item(file, "Ask", () -> say("answer", JOptionPane.showConfirmDialog(frame, "Really?")));
        item(more, "Deep", () -> { });
        file.add(more);
        bar.add(file);
        return bar;
    }

    public static void main(String[] args) {
        SwingUtilities.invokeLater(() -> {
            JFrame frame = new JFrame("Boxes");
            String[] many = new String[150];

            for (int i = 0; i < many.length; i++)
                many[i] = "item " + i;
            box("Color", "Red", "Green", "Green dark", "Blue");
            box("Long", many);
            box("Free", "One", "Two").setEditable(true);
            box("Off", "One", "Two").setEnabled(false);
            spin("Number", new SpinnerNumberModel(5, 0, 100, 1));
            spin("Real", new SpinnerNumberModel(1.5, 0.0, 9.0, 0.25));
            JSpinner date = spin("Date", new SpinnerDateModel(new GregorianCalendar(2020, 0, 15).getTime(), null, null, Calendar.DATE));
            date.setEditor(new JSpinner.DateEditor(date, "yyyy-MM-dd"));
            spin("List", new SpinnerListModel(new String[] { "low", "mid", "high" }));
            slider("Slider", 2000);
            JSlider ticks = slider("Ticks", 100);
            ticks.setMajorTickSpacing(10);
            ticks.setSnapToTicks(true);
            JScrollBar bar = add("Bar", new JScrollBar(JScrollBar.HORIZONTAL, 10, 10, 0, 110));
            bar.addAdjustmentListener(event -> say("Bar", bar.getValue()));
            frame.setJMenuBar(menus(frame));
            frame.add(FORM);
            frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
            frame.pack();
            frame.setLocation(200, 40);
            frame.setVisible(true);
        });
    }
}
