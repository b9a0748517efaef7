---@meta sys.clipboard

--- The clipboard. Media types name its contents: "text/plain" (UTF-8), "text/html", "text/uri-list" (files), "image/png", or
--- whatever an application offers. Written content stays there until something else is copied, even if the display is lost and
--- comes back (then from the next call on).
---@class sys.clipboard
local clipboard = {}

---@class sys.clipboard.Options
---@field timeout? number  seconds, at most 600; default 10, and never longer than the time limit of the call

---@class sys.clipboard.ReadOptions: sys.clipboard.Options
---@field types?     string[]  the types to read; default those that exist of text/plain, text/html, text/uri-list and image/png
---@field max_bytes? integer   of one type; default and maximum: 67108864

---@class sys.clipboard.Clip
---@field parts  table<string, string>  media type to bytes; empty if the clipboard is, or has none of the types
---@field types  string[]               all types that are offered, read or not
---@field secret boolean                true if a password manager marked it

--- Returns the present content.
---@param options? sys.clipboard.ReadOptions
---@return sys.clipboard.Clip? clip
---@return string? err
---@return string? code  "too_large", "clipboard_no_answer" (the application that owns it hangs), "clipboard_refused",
---                      "timeout", ...
function clipboard.read(options) end

--- Replaces the content. At most 64 MB in 32 types.
---@param parts table<string, string>  media type to bytes
---@param options? {secret?: boolean, timeout?: number}  secret: no history keeps it
---@return true? ok
---@return string? err
---@return string? code
function clipboard.write(parts, options) end

--- Clears it, whatever application the content is from.
---@param options? sys.clipboard.Options
---@return true? ok
---@return string? err
---@return string? code
function clipboard.clear(options) end

--- Keeps in memory what is copied from now on: text, HTML, files, and images that come without text; never content that a
--- password manager marked. Together at most 16 MB. With 0 entries it stops and drops the history.
---@param options {entries: integer, entry_bytes?: integer, timeout?: number}  entries: 0 to 100; entry_bytes: longer content is
---                                                                            left out; default 4 MB
---@return true? ok
---@return string? err
---@return string? code
function clipboard.keep_history(options) end

---@class sys.clipboard.Entry
---@field parts table<string, string>  those that it had of text/plain, text/html, text/uri-list, image/png
---@field when number  seconds since 1970

--- Returns the history, newest first; empty unless keep_history() was called.
---@param options? sys.clipboard.Options
---@return sys.clipboard.Entry[]? entries
---@return string? err
---@return string? code
function clipboard.history(options) end

---@class sys.clipboard.Changes
---@field next integer     the mark of now, for `since`
---@field changed boolean  an application has copied something, or cleared the clipboard, since that mark
---@field own? boolean     true if the application of that window was one of them; nil without `changed` and `window`, and on
---                        systems that do not report which application copies (macOS)

--- Reports whether another application has copied something since an earlier call. It reads no content and asks no application.
--- Marks do not outlive the display: with one from before, nothing has changed.
---@param options? {since?: integer, window?: integer, timeout?: number}  since: the `next` of the earlier call; window: the ID
---                                                                       of any window of an application
---@return sys.clipboard.Changes? changes
---@return string? err
---@return string? code  "not_supported", "timeout", "no_display", ...
function clipboard.changes(options) end

return clipboard
