---@meta sys.seen

--- Whether the arguments of a call contain text that results brought from outside: words in a row, or one word that stands for
--- something (an address, the name of a host, a path, a number). Case, spaces, quotes, what cannot be seen and the usual
--- encodings make no difference. What was put into other words is not found. For the gate that calls pass (docs/policy.md);
--- tools have no use for it.
---@class sys.seen
local seen = {}

--- The results that a caller got last: 128, and 32 MB of text; the oldest make room. Of one with more than 4 MB, or 200,000
--- strings, everything counts as found.
---@class sys.seen.Shelf
local shelf = {}

--- Looks through a result, all strings and numbers in it: 12 kB take about 0.1 ms.
---@param source integer  a bit, 1 to 128
---@param value any
---@param mount? string   the mounted server that sent it
function shelf:put(source, value, mount) end

---@return sys.seen.Shelf
function seen.shelf() end

--- Keeps a result for a caller, as it is; it is looked through when that is asked for. At most 64 are told apart; who did not call
--- for the longest is forgotten.
---@param who string      "": everyone
---@param source integer  a bit, 1 to 128
---@param value any
---@param mount string?   the mounted server that sent it
---@param soon boolean    it is looked through once what runs now is done
function seen.keep(who, source, value, mount, soon) end

--- The sources, added up, of what is in the arguments: results of that caller, what everyone got, and what is told. A sentence
--- takes 2 us, however much was kept.
---@param args table
---@param who string
---@param told sys.seen.Shelf
---@param own? boolean         words of paths that the caller said() are not looked for alone
---@param mount string?        what this mounted server sent is not looked at: it gets it back
---@return integer sources
function seen.find(args, who, told, own, mount) end

--- Is one of the strings a path as a whole, absolute or below "~"?
---@param args table
---@return boolean
function seen.has_path(args) end

--- Keeps the words of those paths in the arguments that are on no shelf yet.
---@param args table
---@param who string
---@param told sys.seen.Shelf
function seen.said(args, who, told) end

return seen
