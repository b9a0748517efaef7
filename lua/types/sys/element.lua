---@meta sys.element

--- What the interface of an application is made of, as it tells through AT-SPI or AX. Points are those of sys.display. What an
--- application says of itself is not always so: after acting, read again what came of it. Every function waits without holding
--- up other calls; failures are nil, message, code: "no_accessibility" (the system has none: the text says what to do), "no_tree"
--- (the application tells nothing of itself: the text says how it would), "element_gone", "element_refused" (the application
--- said no), "not_supported" (this element has no such thing, or this desktop no elements), "app_hung", "app_not_found",
--- "stopped" (of acting, after the user's stop), "timeout", "no_display", "display_lost", "desktop_hung".
---@class sys.element
---@field roles string[]   all there are
---@field states string[]
local element = {}

---@class sys.element.Options
---@field timeout? number  seconds for the whole call, waiting for its turn included; default 10, at most 600

---@class sys.element.Query: sys.element.Options
---@field pid? integer       of the application; needed without `root`
---@field started? integer   of its process, as sys.app has it; 0: not checked
---@field window? integer    only this window's: its id of sys.window
---@field root? integer      the id of an element: only what is below it, and itself
---@field nodes? integer     at most; default 2,000, at most 100,000
---@field depth? integer     at most, below the root; default 60, at most 1,000
---@field children? integer  of one element, at most; default 300
---@field hidden? boolean    also what is not shown, as the items of closed menus
---@field bounds? boolean
---@field values? boolean    text and numbers
---@field actions? boolean   their names

---@class sys.element.Node
---@field id integer         never given to another element while the engine runs
---@field gone? true         of get(): the application has it no more; nothing else is set
---@field pid integer
---@field role string        "button", "entry", ...; "element": one without a place among them, see native
---@field native string      what its system calls the role: "push button", "AXButton"
---@field name string        clean UTF-8, at most 4,096 bytes
---@field name_cut? true     it was longer
---@field value string       its text, its number as text, or the option that a page's closed list box shows; "" of passwords; at
---                          most 2,048 bytes
---@field value_cut? true
---@field description? string
---@field parent? integer    id; absent: it is a window's, or not known
---@field window? integer    id of its window, that of sys.window
---@field depth? integer     below the root that was asked for
---@field index? integer     among its parent's children, from 0
---@field children? integer  as the application claims
---@field listed? integer    of them that are in the tree
---@field states table<string, true>     those that are set: "enabled", "shown", "checked", ...
---@field abilities table<string, true>  what it claims that can be done: "act", "read", "write", "count", "select", "focus"
---@field bounds? sys.window.Rect  not cut to what is seen of it
---@field number? number     of an element that counts: its value,
---@field least? number      and its limits
---@field most? number
---@field step? number
---@field actions? string[]  their names, if asked for

---@class sys.element.Tree
---@field nodes sys.element.Node[]  parents before children, in the application's order
---@field cut boolean    some limit ended it: parents with listed < children tell where
---@field late? true     it was the time: what is missing, also a value, may be there
---@field route string   how it was read
---@field note? string   why it is empty, or what may be missing

--- The elements of an application, of one of its windows, or below one of them.
---@param query sys.element.Query
---@return sys.element.Tree? tree
---@return string? err
---@return string? code
function element.tree(query) end

--- These as they are now, in the same order, with bounds, values and actions; those that are gone are marked.
---@param ids integer[]  at most 500
---@param options? sys.element.Options
---@return sys.element.Node[]? nodes
---@return string? err
---@return string? code
function element.get(ids, options) end

---@class sys.element.Change
---@field verb "do"|"set_text"|"set_number"|"focus"|"select"|"expand"|"collapse"|"show"|"caret"  select: in its parent, alone;
---                          expand, collapse: by what the application has for it, and what is so already is left so; show:
---                          scrolls it into view; caret: the caret to `from`, or from..to selected
---@field name? string       do: of the action
---@field text? string       set_text: all of it becomes this; at most 1 MB
---@field number? number     set_number
---@field from? integer      caret: characters, from 0
---@field to? integer

---@class sys.element.Outcome
---@field agreed boolean  the application said that it did it; that alone proves nothing
---@field route string    "at-spi action press", "at-spi EditableText", ...

--- Acts on an element. What the application did shows only when you read again.
---@param id integer
---@param change sys.element.Change
---@param options? sys.element.Options
---@return sys.element.Outcome? outcome
---@return string? err
---@return string? code
function element.act(id, change, options) end

---@class sys.element.TextOptions: sys.element.Options
---@field from? integer  characters, from 0
---@field to? integer    default: the end; at most 1 MB are read

---@class sys.element.Text
---@field text string
---@field length integer  characters of the whole text
---@field from integer    what `text` holds
---@field to integer
---@field caret? integer
---@field selected_from? integer
---@field selected_to? integer

--- The text of an element, or a part of it.
---@param id integer
---@param options? sys.element.TextOptions
---@return sys.element.Text? text
---@return string? err
---@return string? code
function element.text(id, options) end

--- What is at this point of the application's windows; nil without a message: nothing is.
---@param pid integer
---@param x number
---@param y number
---@param options? sys.element.Options
---@return integer? id
---@return string? err
---@return string? code
function element.at(pid, x, y, options) end

---@class sys.element.ChangesOptions: sys.element.Options
---@field pid? integer    of one application only
---@field since? integer  `next` of the call before; 0: from now on, and the first call begins to listen
---@field wait? number    seconds for the first event, at most 60; default 0

---@class sys.element.Changed
---@field number integer  counts up by one
---@field kind "window"|"children"|"name"|"value"|"state"|"focus"|"gone"  gone: the application
---@field id? integer     of what changed; absent: one that was never listed, while no script has events()
---@field pid integer
---@field at number       seconds of the clock of sys.time.monotonic()
---@field detail string   "focused on", "add", "insert", ...

--- What happened since. Scripts that go on use events().
---@param options? sys.element.ChangesOptions
---@return {events: sys.element.Changed[], next: integer, missed: integer}? events
---@return string? err
---@return string? code
function element.changes(options) end

return element
