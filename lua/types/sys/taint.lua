---@meta sys.taint

--- Finds out whether the arguments of a call contain text that results brought from outside: several words in a row, or one
--- word that names something (an address, a host, a path, a number). Case, spaces, quotes, invisible characters and the usual
--- encodings make no difference. Text in other words is not found. It is for the gate that calls pass (docs/policy.md); tools
--- have no use for it.
---@class sys.taint
local taint = {}

--- The latest results of a caller: 128, and 32 MB of text; the oldest are dropped. Of a result with more than 4 MB, or 200,000
--- strings, all text counts as found.
---@class sys.taint.Record
local record = {}

--- Adds a result, with all strings and numbers in it: 12 kB take about 0.1 ms.
---@param source integer  a bit, 1 to 128
---@param value any
---@param mount? string   the mounted server that sent it
function record:put(source, value, mount) end

---@return sys.taint.Record
function taint.record() end

--- Keeps a result for a caller, as it is; its text is read when it is first searched. At most 64 callers are distinguished; the
--- one that did not call for the longest time is forgotten. Fingerprints of the words are kept for a day, in a file of all
--- processes, but for those of everyone.
---@param who string      "" for everyone
---@param source integer  a bit, 1 to 128
---@param value any
---@param mount string?   the mounted server that sent it
---@param soon boolean    true: its text is read as soon as the running work is done
---@param beside? boolean  true: it is short text beside a result. All such text of a source shares a place among the 128
function taint.keep(who, source, value, mount, soon, beside) end

--- Returns the sum of the sources of text in the arguments: results of that caller, also those of its other sessions in the last
--- day, results for everyone, and `told`. A sentence takes 2 us, however much is kept.
---@param args table
---@param who string
---@param told sys.taint.Record
---@param own? boolean         true: words of paths that the caller said() are not searched alone
---@param mount string?        text that this mounted server sent, even if another one did as well, is not found: it gets it back
---@param known? table<string, true>  hosts that the caller named by itself, which are not looked for
---@param opens? boolean       true: the arguments are run or opened, so that "a/b" is a path; otherwise it is an ordinary word
---@return integer sources
function taint.find(args, who, told, own, mount, known, opens) end

--- Returns the sum of the sources of text that editing may have made of these strings, up to 8 kB; of more, all counts as found.
--- Looks for the same rows of words and single words as find(), but not for a row of plain words with less than nine letters, and
--- not for those that one string has as they are. Results of other sessions are not searched. 100 kB of results take about 10 ms.
---@param strings string[]  at most 31 of other lines; of more, all counts as found
---@param own integer     number of those that are of the line itself, which come first; of the others it may have parts
---@param steps integer   places where parts meet (where two of other lines do, five), and ends of such parts in the middle of a
---                       word; 0: only the beginning of a string may be missing
---@param apart boolean   true: what comes of the others alone does not count
---@param who string
---@param told sys.taint.Record
---@param mount? string   as for find()
---@return integer sources
function taint.edited(strings, own, steps, apart, who, told, mount) end

--- Returns the hosts in the arguments that find() would find, each in one spelling: at most 64.
---@param args table
---@param who string
---@param told sys.taint.Record
---@param mount? string   as for find()
---@param known? table<string, true>
---@return string[] hosts
function taint.hosts(args, who, told, mount, known) end

--- Returns the one spelling of a host without user and port: ASCII, small letters, no final dot, an IPv6 address without brackets,
--- an IPv4 address as four numbers, this machine as localhost.
---@param text string
---@return string? host   nil: it names no host
---@return boolean? plain false: programs may read it as another host
function taint.host(text) end

--- Returns whether results of that caller, also those of its other sessions in the last day, results for everyone, or `told` name
--- the host, in any spelling, as the host of a URL or a mail address or as a word.
---@param host string  as host() returns it
---@param who string
---@param told sys.taint.Record
---@return boolean
function taint.has_host(host, who, told) end

--- Returns whether one of the strings is a whole path, absolute or below "~", and whether one may be an address or a host.
---@param args table
---@return boolean path
---@return boolean host
function taint.names(args) end

--- Notes the words of those paths in the arguments that no kept result has.
---@param args table
---@param who string
---@param told sys.taint.Record
function taint.said(args, who, told) end

return taint
