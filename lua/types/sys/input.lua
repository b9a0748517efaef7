---@meta sys.input

--- Mouse and keyboard. Points are numbers with their origin at the top left of the main display; times are seconds. Actions
--- run one after the other, for all callers. After a failed or cancelled action nothing is held down that it pressed. The user
--- ends all input with Ctrl+Alt+Esc or `perigee stop`: every function then gives "stopped" until it is allowed again.
---@class sys.input
local input = {}

---@alias sys.input.Button "left"|"middle"|"right"|"back"|"forward"
---@alias sys.input.Modifier "shift"|"ctrl"|"alt"|"meta"|"cmd"|"option"|"fn"

---@class sys.input.Point
---@field x number
---@field y number

---@class sys.input.Options
---@field timeout? number  seconds until it is given up, at most 600; default 10, and never longer than the call's

---@class sys.input.PointerOptions: sys.input.Options
---@field button?    sys.input.Button        default "left"
---@field modifiers? sys.input.Modifier[]    held meanwhile
---@field duration?  number                  seconds it takes, at most 60; default 0, of a drag 0.1. click: how long the button
---                                          stays down

---@class sys.input.ClickOptions: sys.input.PointerOptions
---@field count? integer  1 to 100; default 1; 2 is a double click

---@class sys.input.ScrollOptions: sys.input.PointerOptions
---@field x? number  where; default: where the pointer is
---@field y? number

---@class sys.input.KeyOptions: sys.input.Options
---@field count?    integer  1 to 100; default 1
---@field duration? number   seconds it is held, at most 60

---@class sys.input.TypeOptions: sys.input.Options
---@field paste? boolean  default true: text that cannot be typed exactly (route "paste ...") goes through the clipboard;
---                       false: it fails with "paste_instead"

---@class sys.input.PasteOptions: sys.input.Options
---@field keys?      string                  the chord that pastes; default: what the receiving application wants
---@field selection? "clipboard"|"primary"   where that application takes it from; default likewise
---@field typed?     boolean                 in place of typing: \n and \t are keys, except in applications that insert late
---                                          what they paste (GTK 4) and in text of 2,000 bytes and more outside terminals

---@class sys.input.Spec: sys.input.KeyOptions
---@field kind       "move"|"click"|"press"|"release"|"drag"|"scroll"|"keys"|"key_down"|"key_up"|"text"|"paste"
---@field x?         number                  with y; left out: where the pointer is
---@field y?         number
---@field button?    sys.input.Button
---@field modifiers? sys.input.Modifier[]
---@field path?      sys.input.Point[]       of a drag: 2 to 4096 points
---@field lines_x?   number                  of a scroll: notches of the wheel to the right
---@field lines_y?   number                  down
---@field pixels?    boolean                 of a scroll: lines_x and lines_y count pixels; where a wheel has only notches, 53 make one
---@field chord?     string                  "ctrl+shift+t", "cmd+c", "F5"
---@field text?      string                  UTF-8, at most 1 MB; typed, \n is Return and \t is Tab
---@field paste?     boolean                 as for type()
---@field keys?      string                  as for paste()
---@field selection? "clipboard"|"primary"
---@field typed?     boolean                 as for paste()
---@field still?     sys.input.Still         of text, on X11

--- What has to be so before text is typed; else nothing is sent, and the code is "changed". Questions and answers are those of
--- sys.dbus.calls(), which go their way beside other work.
---@class sys.input.Still
---@field window   integer            that has the keyboard focus: its id
---@field bus?     string             nil: nothing is asked
---@field calls?   sys.dbus.Call[]    asked before the first key
---@field answers? sys.dbus.Answer[]  what has to be answered
---@field after?   sys.dbus.Call[]    asked after the last key

--- What became of a window: it came ("opened"), went, has another title, or has the keyboard focus, which it had not before.
--- Without a window: none has the focus any more. Titles and names of applications are cut to 159 and 63 bytes.
---@class sys.input.Effect
---@field what     "opened"|"closed"|"titled"|"focused"
---@field pid?     integer  pid, started and id are those of sys.window.Ref
---@field started? integer
---@field id?      integer
---@field kind?    "normal"|"dialog"|"utility"|"panel"|"popup"
---@field title?   string   now, or as it was last
---@field app?     string

---@class sys.input.Effects
---@field [integer] sys.input.Effect
---@field more boolean  there were more than eight

---@class sys.input.Outcome
---@field pointer    sys.input.Point  where it is afterwards
---@field sent       integer          events that reached the display server
---@field characters integer          of the text: typed or pasted
---@field settled    boolean          the receiving application has taken it: it said so afterwards
---@field route      string           how: "xtest", "xtest, 2 keymaps", "paste ctrl+v", ...
---@field released   boolean          what held the pointer or the keyboard (an open menu) before has let go of it
---@field holder?    string           what holds one of them now and gets the next input: "a menu of Mousepad"
---@field got_it?    string           of keys and text: what held the keyboard, so that the focused window did not get them
---@field open?      string           of text: what may have taken it, so that settled is false: a menu or popup of the
---                                   application in front, or what else held the keyboard or the pointer
---@field still_open? boolean         with open: that is so now
---@field effects?   sys.input.Effects  what had begun to change when it was sent, seen within 0.15 seconds; nil: nothing had,
---                                      or the system does not tell
---@field late?      sys.input.Effects  what changed since the last input's effects were told, whatever caused it
---@field method?    string           the input method that is active and makes other text of keys: what was typed was pasted
---                                   instead (see `route`), or may have been changed, and settled is false
---@field told?      sys.dbus.Answer[]  the answers to `after` of `still`; nil: they did not come
---@field clipboard? "restored"|"partly restored"|"not restored"|"was empty"  of a paste: what became of what was there before

--- One action; what the functions below do, by its kind.
---@param spec sys.input.Spec
---@return sys.input.Outcome? outcome
---@return string? err   what failed and what to do
---@return string? code  "bad_point" (outside of every display), "unknown_key", "reserved_key", "bad_text", "paste_instead",
---                      "paste_not_taken" (the application has processed the key and did not read it), "paste_unknown" (it
---                      has not read it and does not respond or tell, or the time limit passed after the key: it may yet),
---                      "focus_lost" (another window got the keyboard while it was typed), "interrupted" (the
---                      user holds Ctrl, Alt or Super while it is typed), "changed" (it is not as `still` says), "stopped", "timeout", "no_display", "display_lost", ...
---@return sys.input.Outcome? so_far  of what was sent in part: events, and characters of text; nil where that is unknown
function input.send(spec) end

--- Clicks there, or where the pointer is when x and y are nil.
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

--- A button down. It stays so until release() or release_all().
---@param x? number
---@param y? number
---@param options? sys.input.PointerOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.press(x, y, options) end

--- A button up.
---@param x? number
---@param y? number
---@param options? sys.input.PointerOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.release(x, y, options) end

--- Button down at the first point, along the others, up at the last.
---@param path sys.input.Point[]
---@param options? sys.input.PointerOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.drag(path, options) end

--- Turns the wheel by notches, which applications call lines: to the right and down, or back when negative. Whole notches are
--- sent; -1000 to 1000.
---@param lines_x number
---@param lines_y number
---@param options? sys.input.ScrollOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.scroll(lines_x, lines_y, options) end

--- Presses keys together and lets go of them: "ctrl+shift+t", "F5", "alt++". "cmd" is the key that shortcuts go by: Command on a
--- Mac, Control elsewhere.
---@param chord string
---@param options? sys.input.KeyOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.keys(chord, options) end

--- Keys down. They stay so until key_up() or release_all().
---@param chord string
---@param options? sys.input.Options
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.key_down(chord, options) end

--- Keys up.
---@param chord string
---@param options? sys.input.Options
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.key_up(chord, options) end

--- Types text exactly, in any keyboard layout. What cannot be typed so, or would be changed by an input method that is active
--- (IBus, Fcitx), is pasted, and the clipboard is restored.
---@param text string
---@param options? sys.input.TypeOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.type(text, options) end

--- Pastes text in one piece: puts it on the clipboard, waits until the frontmost application knows of it, presses the keys that
--- paste there, waits until it has read all it wants, and restores the clipboard.
---@param text string
---@param options? sys.input.PasteOptions
---@return sys.input.Outcome? outcome
---@return string? err
---@return string? code
---@return sys.input.Outcome? so_far
function input.paste(text, options) end

--- Lets go of every key and button that this engine holds.
---@param options? sys.input.Options
---@return true? ok
---@return string? err
---@return string? code
function input.release_all(options) end

--- Waits until the frontmost application has taken all input so far. False: it has not said so within that time, or what holds
--- the keyboard cannot say it.
---@param seconds number  at most 60
---@param options? sys.input.Options
---@return boolean? settled
---@return string? err
---@return string? code
function input.settle(seconds, options) end

--- The user's stop, as `perigee stop`: ends what runs and waits with "stopped", lets go of everything, and refuses what acts
--- in every process on this desktop. After a failure only this process is stopped.
---@return true? ok
---@return string? err
---@return string? code
function input.stop() end

--- Lets input through again after a stop. Not for tools: the user decides (`perigee stop --allow`).
---@return true? ok
---@return string? err
---@return string? code  "all_stopped": all displays were stopped, and stay so
function input.allow() end

--- sys.desktop.stopped() says who stopped it and when.
---@return boolean
function input.stopped() end

return input
