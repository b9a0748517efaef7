---@meta sys.input

--- Mouse and keyboard. Points are numbers with their origin at the top left of the main display; times are seconds. Actions run
--- one after the other, for all callers. A failed or cancelled action releases everything that it pressed. The user ends all
--- input with Ctrl+Alt+Esc or `perigee stop`: every function then fails with "stopped" until input is allowed again.
---@class sys.input
local input = {}

---@alias sys.input.Button "left"|"middle"|"right"|"back"|"forward"
---@alias sys.input.Modifier "shift"|"ctrl"|"alt"|"meta"|"cmd"|"option"|"fn"

---@class sys.input.Point
---@field x number
---@field y number

---@class sys.input.Options
---@field timeout? number  seconds until it is given up, at most 600; default 10, and never longer than the time limit of the call
---@field window?  integer  id of the window that has to get it: if another one would, nothing is sent, and the code is "moved". X11

---@class sys.input.PointerOptions: sys.input.Options
---@field button?    sys.input.Button        default "left"
---@field modifiers? sys.input.Modifier[]    keys held meanwhile
---@field duration?  number                  seconds that it takes, at most 60; default 0, for a drag 0.1. click: how long the
---                                          button stays down

---@class sys.input.ClickOptions: sys.input.PointerOptions
---@field count? integer  1 to 100; default 1; 2 is a double click

---@class sys.input.ScrollOptions: sys.input.PointerOptions
---@field x? number  the place; default: the pointer's
---@field y? number

---@class sys.input.KeyOptions: sys.input.Options
---@field count?    integer  1 to 100; default 1
---@field duration? number   seconds for which it is held, at most 60

---@class sys.input.TypeOptions: sys.input.Options
---@field paste? boolean  default true: text that cannot be typed exactly (route "paste ...") is pasted through the clipboard;
---                       false: it fails with "paste_instead"

---@class sys.input.PasteOptions: sys.input.Options
---@field keys?      string                  the chord that pastes; default: that of the receiving application
---@field selection? "clipboard"|"primary"   where that application takes it from; default likewise
---@field typed?     boolean                 true: in place of typing: \n and \t are keys, except in applications that insert
---                                          pasted text late (GTK 4) and in text of 2,000 bytes and more outside terminals

---@class sys.input.Spec: sys.input.KeyOptions
---@field kind       "move"|"click"|"press"|"release"|"drag"|"scroll"|"keys"|"key_down"|"key_up"|"text"|"paste"|"drop"
---@field x?         number                  with y; default: the pointer's place
---@field y?         number
---@field button?    sys.input.Button
---@field modifiers? sys.input.Modifier[]
---@field path?      sys.input.Point[]       for a drag: 2 to 4096 points
---@field lines_x?   number                  for a scroll: notches of the wheel to the right
---@field lines_y?   number                  down
---@field pixels?    boolean                 for a scroll: lines_x and lines_y count pixels; for wheels with notches, 53 make one
---@field chord?     string                  "ctrl+shift+t", "cmd+c", "F5"
---@field text?      string                  UTF-8, at most 1 MB; typed, \n is Return and \t is Tab
---@field paste?     boolean                 the same as for type()
---@field keys?      string                  the same as for paste()
---@field selection? "clipboard"|"primary"
---@field typed?     boolean                 the same as for paste()
---@field action?    "copy"|"link"|"ask"     the same as for drop(), whose URI list is text

--- A change of a window: it opened or closed, has another title, or got the keyboard focus. Without a window: none has the
--- focus any more. Titles and names of applications are cut to 159 and 63 bytes.
---@class sys.input.Effect
---@field what     "opened"|"closed"|"titled"|"focused"
---@field pid?     integer  pid, started and id are those of sys.window.Ref
---@field started? integer
---@field id?      integer
---@field kind?    "normal"|"dialog"|"utility"|"panel"|"popup"
---@field title?   string   the present one, or the last one
---@field app?     string

---@class sys.input.Effects
---@field [integer] sys.input.Effect
---@field more boolean  true if there were more than eight

---@class sys.input.Outcome
---@field pointer    sys.input.Point  the pointer's place afterwards
---@field sent       integer          events that reached the display server
---@field characters integer          characters of the text that were typed or pasted
---@field settled    boolean          true if the receiving application confirmed afterwards that it has processed it
---@field route      string           the way: "xtest", "xtest, 2 keymaps", "paste ctrl+v", ...
---@field released   boolean          true if what held the pointer or the keyboard before (an open menu) has released it
---@field holder?    string           what holds one of them now and gets the next input: "a menu of Mousepad"
---@field got_it?    string           for keys and text: what held the keyboard, so that the focused window did not get them
---@field open?      string           for text: what may have got it, so that settled is false: a menu or popup of the frontmost
---                                   application, or what else held the keyboard or the pointer
---@field still_open? boolean         with open: true if that is so now
---@field effects?   sys.input.Effects  changes that began within 0.15 seconds after it was sent; nil if none did, or the system
---                                      does not report them
---@field late?      sys.input.Effects  changes since the last input's effects were reported, whatever caused them
---@field method?    string           the active input method, which makes other text of keys: the text was pasted instead
---                                   (see `route`), or may have been changed, and settled is false
---@field clipboard? "restored"|"partly restored"|"not restored"|"was empty"  for a paste: the state of the earlier content

--- Makes one action, as the functions below do, by its kind.
---@param spec sys.input.Spec
---@return sys.input.Outcome? outcome
---@return string? err   what failed and what to do
---@return string? code  "bad_point" (outside of every display), "unknown_key", "reserved_key", "bad_text", "paste_instead",
---                      "paste_not_taken" (the application has processed the key and did not read it), "paste_unknown" (it
---                      has not read it and does not respond or report, or the time limit passed after the key: it may yet),
---                      "focus_lost" (another window got the keyboard while it was typed), "interrupted" (the user holds Ctrl,
---                      Alt or Super while it is typed), "stopped", "moved" (with window: another one
---                      would get it, and nothing was sent), "timeout", "no_display", "display_lost", ...
---@return sys.input.Outcome? so_far  if it was sent in part: events, and characters of text; nil if that is unknown
function input.send(spec) end

--- Clicks at x and y, or where the pointer is if they are nil.
---@param x? number
---@param y? number
---@param options? sys.input.ClickOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.click(x, y, options) end

--- Moves the pointer; with a duration along a straight line.
---@param x number
---@param y number
---@param options? sys.input.PointerOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.move(x, y, options) end

--- Presses a button. It stays down until release() or release_all().
---@param x? number
---@param y? number
---@param options? sys.input.PointerOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.press(x, y, options) end

--- Releases a button.
---@param x? number
---@param y? number
---@param options? sys.input.PointerOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.release(x, y, options) end

--- Presses the button at the first point, moves along the others, and releases it at the last.
---@param path sys.input.Point[]
---@param options? sys.input.PointerOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.drag(path, options) end

--- Drops files at a point, as a file manager does, and waits until the target has said that it took them. X11 only.
---@param x number
---@param y number
---@param list string  URIs, each with a line end, as of the type text/uri-list
---@param options? {timeout?: number, action?: "copy"|"link"|"ask"}  what is suggested to the target; default "copy"
---@return sys.input.Outcome? outcome  its route is "xdnd " and what the target did: "xdnd copy"
---@return string? err
---@return string? code  "no_drop_target"; "drop_refused"; "app_hung": it has not answered, and nothing was dropped;
---                      "drop_unfinished": it has not said in time that it took them, and may yet; "not_supported"
---@return sys.input.Outcome? so_far
function input.drop(x, y, list, options) end

--- Turns the wheel by notches, which applications call lines: to the right and down, or back if negative. Whole notches are
--- sent; -1000 to 1000.
---@param lines_x number
---@param lines_y number
---@param options? sys.input.ScrollOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.scroll(lines_x, lines_y, options) end

--- Presses keys together and releases them: "ctrl+shift+t", "F5", "alt++". "cmd" is the key of most shortcuts: Command on a
--- Mac, Control elsewhere. docs/desktop.md lists the names of keys.
---@param chord string
---@param options? sys.input.KeyOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.keys(chord, options) end

--- Presses keys. They stay down until key_up() or release_all(). In a call, keys other than modifiers are also let go before
--- modifiers change or another window gets the keyboard.
---@param chord string
---@param options? sys.input.Options
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.key_down(chord, options) end

--- Releases keys.
---@param chord string
---@param options? sys.input.Options
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.key_up(chord, options) end

--- Types text exactly, in any keyboard layout. Text that cannot be typed so, or would be changed by an active input method
--- (IBus, Fcitx), is pasted, and the clipboard is restored.
---@param text string
---@param options? sys.input.TypeOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.type(text, options) end

--- Pastes text in one piece: puts it on the clipboard, waits until the frontmost application has noticed it, presses the keys
--- that paste there, waits until it has read all that it wants, and restores the clipboard.
---@param text string
---@param options? sys.input.PasteOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.paste(text, options) end

--- Releases every key and button that this engine holds.
---@param options? sys.input.Options
---@return true? ok
---@return string? err
---@return string? code
function input.release_all(options) end

--- Waits until the frontmost application has processed all input so far. False if it has not confirmed that within the time, or
--- what holds the keyboard cannot.
---@param seconds number  at most 60
---@param options? sys.input.Options
---@return boolean? settled
---@return string? err
---@return string? code  "not_supported" (no application of this desktop confirms input), or as for send()
function input.settle(seconds, options) end

--- Stops everything, as `perigee stop` does: ends actions that run or wait with "stopped", releases everything, and refuses
--- actions in every process on this desktop. After a failure only this process is stopped.
---@return true? ok
---@return string? err
---@return string? code
function input.stop() end

--- Allows input again after a stop. Not for tools: the user decides (`perigee stop --allow`).
---@return true? ok
---@return string? err
---@return string? code  "all_stopped": all displays were stopped, and stay so
function input.allow() end

--- True while input is stopped. sys.desktop.stopped() says who stopped it and when.
---@return boolean
function input.stopped() end

return input
