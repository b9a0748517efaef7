---@meta sys.clipboard

--- The clipboard. Media types name what is on it: "text/plain" (UTF-8), "text/html", "text/uri-list" (files), "image/png", or
--- whatever an application offers. What was written stays there until something else is copied, also when the display comes back
--- after it was lost (then from the next call on).
---@class sys.clipboard
local clipboard = {}

---@class sys.clipboard.Options
---@field timeout? number  seconds, at most 600; default 10, and never longer than the call's

---@class sys.clipboard.ReadOptions: sys.clipboard.Options
---@field types?     string[]  what to read; default text/plain, text/html, text/uri-list and image/png, those there are
---@field max_bytes? integer   of one type; default and most: 67108864

---@class sys.clipboard.Clip
---@field parts  table<string, string>  media type to bytes; empty when the clipboard is, or has none of the types
---@field types  string[]               all that is offered, read or not
---@field secret boolean                a password manager marked it

--- What is on it now.
---@param options? sys.clipboard.ReadOptions
---@return sys.clipboard.Clip? clip
---@return string? err
---@return string? code  "too_large", "clipboard_no_answer" (the application that owns it hangs), "clipboard_refused", "timeout", ...
function clipboard.read(options) end

--- Replaces what is there. At most 64 MB in 32 types.
---@param parts table<string, string>  media type to bytes
---@param options? {secret?: boolean, timeout?: number}  secret: no history keeps it
---@return true? ok
---@return string? err
---@return string? code
function clipboard.write(parts, options) end

--- Empties it, whatever application it is from.
---@param options? sys.clipboard.Options
---@return true? ok
---@return string? err
---@return string? code
function clipboard.clear(options) end

--- Keeps what is copied from now on, in memory: text, HTML, files, and images that come without text; never what a password
--- manager marked. Together at most 16 MB. 0 entries: stop and forget.
---@param options {entries: integer, entry_bytes?: integer, timeout?: number}  entries: 0 to 100; entry_bytes: what is longer is
---                                                                            left out; default 4 MB
---@return true? ok
---@return string? err
---@return string? code
function clipboard.keep_history(options) end

---@class sys.clipboard.Entry
---@field parts table<string, string>  text/plain, text/html, text/uri-list, image/png: those it had
---@field when number  seconds since 1970

--- Newest first; empty unless keep_history() was called.
---@param options? sys.clipboard.Options
---@return sys.clipboard.Entry[]? entries
---@return string? err
---@return string? code
function clipboard.history(options) end

return clipboard
