--- Keeps what the code of a file of the user's reads from outside by a module (src/sys/taint/sources.h).

local provenance = require "policy.provenance"

return provenance.note_read
