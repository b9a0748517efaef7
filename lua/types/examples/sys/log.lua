local log = require "sys.log"

--- debug
log.debug("only with --verbose", 1, true)

--- info
log.info("moved", { window = "notes.txt", x = 40 })   -- moved { window = "notes.txt", x = 40 }

--- warn
log.warn "the display is gone"

--- error
log.error("cannot save", "notes.txt")
