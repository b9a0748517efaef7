---@meta sys.element

--- The elements of an application's interface, as it reports them through AT-SPI or AX. Points are those of sys.display.
--- Reports of applications are not always true: after an action, read again what happened. Every function waits without
--- blocking other calls. Failures are nil, message, code: "no_accessibility" (the system has none: the message says what to
--- do), "no_tree" (the application reports nothing: the message says how to change that), "element_gone", "element_refused"
--- (the application refused), "not_supported" (this element does not have it, or this desktop no elements), "app_hung",
--- "app_not_found", "stopped" (an action, after the user's stop), "timeout", "no_display", "display_lost", "desktop_hung".
---@class sys.element
---@field roles string[]   all roles
---@field states string[]  all states
local element = {}

---@class sys.element.Options
---@field timeout? number  seconds for the whole call, including the wait for its turn; default 10, at most 600

---@class sys.element.Query: sys.element.Options
---@field pid? integer       the application's process; required without `root`
---@field started? integer   that of sys.app for this process; 0 is not checked
---@field window? integer    only elements of this window: its id of sys.window
---@field root? integer      the id of an element: only this element and those below it
---@field x? number          with root and y: a point in it, in shares of its size, above 0. Only the elements that the application
---@field y? number          names at that point, each in the one before, and others beside these that lie there; only the root
---                          if it names none. Where applications cannot be asked so it is as without a point
---@field nodes? integer     at most; default 2,000, at most 100,000
---@field depth? integer     at most, below the root; default 60, at most 1,000
---@field children? integer  of one element, at most; default 300
---@field hidden? boolean    true: also hidden elements, such as the items of closed menus
---@field bounds? boolean    true: read the bounds
---@field values? boolean    true: read text and numbers
---@field actions? boolean   true: read the names of actions

---@class sys.element.Node
---@field id integer         unique while the engine runs
---@field gone? true         from get(): the application no longer has it; nothing else is set
---@field pid integer
---@field role string        "button", "entry", ...; "element" for one that has none of them, see native
---@field native string      the system's name of the role: "push button", "AXButton"
---@field name string        clean UTF-8, at most 4,096 bytes
---@field name_cut? true     set if it was longer
---@field value string       its text, its number as text, or the option that a page's closed list box shows; "" for passwords; at
---                          most 2,048 bytes
---@field value_cut? true
---@field description? string
---@field parent? integer    the id of its parent; absent if it belongs to a window, or is not known
---@field window? integer    the id of its window in sys.window
---@field depth? integer     levels below the root of the query
---@field index? integer     its place among its parent's children, from 0
---@field children? integer  their number, as the application reports it
---@field listed? integer    the number of them that are in the tree
---@field states table<string, true>     the states that are set: "enabled", "shown", "checked", ...
---@field abilities table<string, true>  what it reports to be possible: "act", "read", "write", "count", "select", "focus"
---@field bounds? sys.window.Rect  not cut to the visible part
---@field number? number     the value of an element with a number,
---@field least? number      and its limits
---@field most? number
---@field step? number
---@field actions? string[]  their names, if the query has actions

---@class sys.element.Tree
---@field nodes sys.element.Node[]  parents before children, in the application's order
---@field cut boolean    true if a limit ended it: parents with listed < children show where
---@field late? true     set if that was the time limit: missing parts, even values, may exist
---@field route string   the way in which it was read
---@field note? string   why it is empty, or what may be missing

--- Returns the elements of an application, of one of its windows, or below one of them.
---@param query sys.element.Query
---@return sys.element.Tree? tree
---@return string? err
---@return string? code
function element.tree(query) end

--- Returns these elements as they are now, in the same order, with bounds, values and actions; those that are gone are marked.
---@param ids integer[]  at most 500
---@param options? sys.element.Options
---@return sys.element.Node[]? nodes
---@return string? err
---@return string? code
function element.get(ids, options) end

---@class sys.element.Change
---@field verb "do"|"set_text"|"set_number"|"focus"|"select"|"expand"|"collapse"|"show"|"caret"  select: in its parent, alone;
---                          expand, collapse: by the application's own way, unless it is so already; show: scrolls it into
---                          view; caret: moves the caret to `from`, or selects from..to
---@field name? string       do: the name of the action
---@field text? string       set_text: the new text in place of all; at most 1 MB
---@field number? number     set_number
---@field from? integer      caret: in characters, from 0
---@field to? integer

---@class sys.element.Outcome
---@field agreed boolean  true if the application reported success; that alone proves nothing
---@field route string    "at-spi action press", "at-spi EditableText", ...

--- Acts on an element. Its effect shows only when you read again.
---@param id integer
---@param change sys.element.Change
---@param options? sys.element.Options
---@return sys.element.Outcome? outcome
---@return string? err
---@return string? code
function element.act(id, change, options) end

---@class sys.element.TextOptions: sys.element.Options
---@field from? integer  in characters, from 0
---@field to? integer    default: the end; at most 1 MB is read

---@class sys.element.Text
---@field text string
---@field length integer  characters of the whole text
---@field from integer    the part that `text` has
---@field to integer
---@field caret? integer
---@field selected_from? integer
---@field selected_to? integer

--- Returns the text of an element, or a part of it.
---@param id integer
---@param options? sys.element.TextOptions
---@return sys.element.Text? text
---@return string? err
---@return string? code
function element.text(id, options) end

--- A query for the text field that has the keyboard. Lengths and places are in characters.
---@class sys.element.FieldQuery: sys.element.Options
---@field id? integer       a field that was found before, which alone is asked; default: it is looked for
---@field again? boolean    with id: it is read even if it has lost the keyboard, and the range is that between its first `from`
---                         characters and its last `rest` ones; otherwise the range is the selection, or where the caret is
---@field from? integer     with id: the expected beginning of the range; another one takes twice as long
---@field rest? integer
---@field length? integer   with id: the expected length of the text; another one takes twice as long
---@field before? integer   characters before the range that are read, at most 1,048,576; default 0
---@field behind? integer   behind it
---@field above? integer    without id: so many paragraphs above a paragraph belong to `before`; at most 4,000
---@field present? boolean  true, without id: nothing is looked for but whether the application has elements

---@class sys.element.Field
---@field finding "found"|"read_only"|"nowhere"|"absent"|"unknown"  read_only: a field that takes no text has the keyboard;
---                          nowhere: no element that takes keys has it; absent: the application, or the system, reports no
---                          elements; unknown: another element has it, or none that is known
---@field window? integer    the id of the window with the keyboard in sys.window, if it is known
---@field pid? integer       its application
---@field id? integer        this and the rest: of a field that was found
---@field focused? boolean   it has the keyboard; always, unless it was read again
---@field multiline? boolean
---@field paragraph? boolean one of several, each with an element of its own
---@field readable? boolean  false for passwords and terminals. The rest is of readable fields
---@field length? integer
---@field caret? integer
---@field from? integer      the beginning of the range,
---@field to? integer        and its end
---@field before? string     the text before it, control characters included; nil if the application does not report it
---@field behind? string
---@field text? string       the text within it, of a field that was read again

--- Finds the text field that has the keyboard, or reads one again. Never switches accessibility on.
---@param query? sys.element.FieldQuery
---@return sys.element.Field? field
---@return string? err
---@return string? code
function element.field(query) end

--- Returns the element at a point of the application's windows; nil without a message if there is none.
---@param pid integer
---@param x number
---@param y number
---@param options? sys.element.Options
---@return integer? id
---@return string? err
---@return string? code
function element.at(pid, x, y, options) end

---@class sys.element.ChangesOptions: sys.element.Options
---@field pid? integer    only events of this application
---@field since? integer  `next` of the call before; 0: from now on, and the first call begins to listen
---@field wait? number    seconds for the first event, at most 60; default 0

---@class sys.element.Changed
---@field number integer  counts up by one
---@field kind "window"|"children"|"name"|"value"|"state"|"focus"|"gone"  gone: the application exited
---@field id? integer     the element that changed; absent if it was never listed, while no script has events()
---@field pid integer
---@field at number       seconds, as sys.time.monotonic() counts
---@field detail string   "focused on", "add", "insert", ...

--- Returns the events since a call. Scripts that go on use events().
---@param options? sys.element.ChangesOptions
---@return {events: sys.element.Changed[], next: integer, missed: integer}? events
---@return string? err
---@return string? code
function element.changes(options) end

return element
