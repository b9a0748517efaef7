--- UTM: tasks and the scripts that do them.

return {
  app   = "com.utmapp.UTM",
  name  = "UTM",
  words = "virtual machine vm guest qemu emulator",
  examples = {
    { task = "Start a virtual machine.",
      command = "start",
      script = [[tell application "UTM" to start virtual machine named "Debian"]] },

    { task = "Ask the guest to shut down.",
      command = "stop",
      script = [[tell application "UTM" to stop virtual machine named "Debian" by request]] },

    { task = "Pause a virtual machine and keep its state on the disk.",
      command = "suspend",
      script = [[tell application "UTM" to suspend virtual machine named "Debian" with saving]] },

    { task = "Find out whether a virtual machine is running.",
      command = "virtual machine.status",
      script = [[tell application "UTM" to get status of virtual machine named "Debian"]] },

    { task = "Run a program in the guest and read its output.",
      command = "execute",
      script = [[
tell application "UTM"
  set program to execute (virtual machine named "Debian") at "/usr/bin/uname" with arguments {"-a"} with output capturing
  delay 1
  get result of program
end tell]] },

    { task = "List the network addresses of a guest.",
      command = "query ip",
      script = [[tell application "UTM" to query ip (virtual machine named "Debian")]] },

    { task = "Clone a virtual machine.",
      command = "duplicate",
      script = [[
tell application "UTM"
  duplicate virtual machine named "Debian" with properties {configuration:{name:"Debian 2"}}
end tell]] },

    { task = "Copy a file of this computer into the guest.",
      command = "push",
      script = [[
tell application "UTM"
  set theCopy to open file (virtual machine named "Debian") at "/tmp/data.txt" for writing
  push theCopy from POSIX file "/Users/me/data.txt"
end tell]] },

    { task = "Copy a file of the guest to this computer.",
      command = "pull",
      script = [[
tell application "UTM"
  set original to open file (virtual machine named "Debian") at "/tmp/result.txt" for reading
  pull original to POSIX file "/Users/me/result.txt"
end tell]] },

    { task = "Give a USB device to a virtual machine.",
      command = "connect",
      script = [[tell application "UTM" to connect usb device 1 to virtual machine named "Debian"]] },

    { task = "Type text into the window of a virtual machine.",
      command = "input keystroke",
      script = [[tell application "UTM" to input keystroke (virtual machine named "Debian") text "root"]] },

    { task = "Save a virtual machine as a file.",
      command = "export",
      script = [[tell application "UTM" to export virtual machine named "Debian" to POSIX file "/Users/me/Debian.utm"]] },

    { task = "Delete a virtual machine.",
      command = "delete",
      script = [[tell application "UTM" to delete virtual machine named "Old"]] },

    { task = "Turn a virtual machine off at once, as if the power failed.",
      command = "stop",
      script = [[tell application "UTM" to stop virtual machine named "Debian" by kill]] },

    { task = "List all virtual machines.",
      command = "virtual machine.name",
      script = [[tell application "UTM" to get name of every virtual machine]] },

    { task = "Find out whether a virtual machine runs with QEMU or with Apple's framework.",
      command = "virtual machine.backend",
      script = [[tell application "UTM" to get backend of virtual machine named "Debian"]] },

    { task = "Read the hardware settings of a virtual machine: memory, processors, drives.",
      command = "virtual machine.configuration",
      script = [[tell application "UTM" to get configuration of virtual machine named "Debian"]] },

    { task = "Change the memory or the number of processors of a virtual machine.",
      command = "update configuration",
      script = [[
tell application "UTM"
  set machine to virtual machine named "Debian"
  set config to configuration of machine
  set memory of config to 4096
  update configuration machine with config
end tell]] },

    { task = "Choose the folders of this computer that are shared with a guest.",
      command = "update registry",
      script = [[
tell application "UTM"
  update registry (virtual machine named "Debian") with {POSIX file "/Users/me/Shared"}
end tell]] },

    { task = "Find out which folder is shared with a guest.",
      command = "virtual machine.registry",
      script = [[tell application "UTM" to get registry of virtual machine named "Debian"]] },

    { task = "Set up a new virtual machine.",
      command = "make",
      script = [[
tell application "UTM"
  make new virtual machine with properties {backend:qemu, configuration:{name:"Debian", architecture:"aarch64"}}
end tell]] },

    { task = "Add a virtual machine from a file.",
      command = "import",
      script = [[tell application "UTM" to import new virtual machine from POSIX file "/Users/me/Debian.utm"]] },

    { task = "Read a text file of the guest.",
      command = "read",
      script = [[
tell application "UTM"
  set theLog to open file (virtual machine named "Debian") at "/var/log/syslog" for reading
  read theLog with closing
end tell]] },

    { task = "Write text to a file of the guest.",
      command = "write",
      script = [[
tell application "UTM"
  set notes to open file (virtual machine named "Debian") at "/tmp/notes.txt" for writing
  write notes with data "Hello" with closing
end tell]] },

    { task = "List the USB devices that a virtual machine can use.",
      command = "usb device.name",
      script = [[tell application "UTM" to get name of every usb device]] },

    { task = "Take a USB device away from a virtual machine.",
      command = "disconnect",
      script = [[tell application "UTM" to disconnect usb device 1]] },

    { task = "Click at a place in the window of a virtual machine.",
      command = "input mouse click",
      script = [[tell application "UTM" to input mouse click (virtual machine named "Debian") at {100, 200}]] },

    { task = "Press special keys in a virtual machine, such as the function keys.",
      command = "input scan code",
      script = [[tell application "UTM" to input scan code (virtual machine named "Debian") codes {29, 56, 59}]] },

    { task = "Find out where the serial console of a virtual machine can be reached.",
      command = "serial port.address",
      script = [[tell application "UTM" to get address of first serial port of virtual machine named "Debian"]] },

    { task = "Start a virtual machine once and throw its changes away at the end.",
      command = "start",
      script = [[tell application "UTM" to start virtual machine named "Debian" without saving]] },
  },
}
