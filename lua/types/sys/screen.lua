---@meta sys.screen

--- Pictures of the desktop, taken, scaled, encoded and saved on another thread. Points are the desktop's, with the origin at the
--- top left of the main display; a picture's pixels are counted from its own top left.
---@class sys.screen
local screen = {}

---@class sys.screen.Rect
---@field x number       points
---@field y number
---@field width number
---@field height number

--- At most one of display, window and all; none of them and no region: the main display.
---@class sys.screen.Capture
---@field display? integer  id, as sys.display has it
---@field window? {pid: integer, started: integer, id: integer}  any table with these, as sys.window has them; also a covered one, or one that lies partly outside of the displays
---@field all? boolean      every display in one image
---@field region? sys.screen.Rect  cut to what the displays show; with `window`: that part of the window's own image
---@field content_only? boolean  the window without title bar and borders
---@field popups? boolean   the window with its open menus and other popups, larger if they reach beyond it; on X11
---@field cursor? boolean   with the pointer drawn in
---@field longest? integer  pixels: a longer side is scaled down to it, and the other with it; 0 or absent: full size
---@field format? "png"|"jpeg"  default "png"
---@field quality? integer  of a JPEG, 1 to 100; default 80
---@field path? string      absolute, ending in .png (or .jpg, .jpeg): written there, whole or not at all; folders are made, and
---                         only an image or an empty file is replaced. The one place where a script may write what was not
---                         granted: a picture, and nothing else
---@field bytes? boolean    give them; default true without path, false with one
---@field marks? boolean    give marks, by which a later picture can be compared with this one
---@field since? string     the marks of an earlier picture: only what changed is encoded. Not with path
---@field boxes? sys.screen.Box[]  drawn onto the picture, at most 500. Not with since
---@field timeout? number   seconds; default 10, never beyond the call's deadline

--- In points.
---@class sys.screen.Box
---@field x number
---@field y number
---@field width number
---@field height number
---@field label? string   at most seven digits and e's

--- A part of a picture, in its pixels.
---@class sys.screen.Change
---@field x integer
---@field y integer
---@field width integer
---@field height integer
---@field bytes? string     the file of this part

---@class sys.screen.Picture
---@field bytes? string     the file's
---@field changes? sys.screen.Change[]  with `since`, instead of bytes: at most four parts that hold every change; empty: nothing
---                         changed. nil: the sizes differ or more than three fifths changed, and bytes has the whole
---@field marks? string     about 20 kB
---@field size integer      bytes of the file, or of the parts
---@field mime_type "image/png"|"image/jpeg"
---@field width integer     pixels
---@field height integer
---@field origin {x: number, y: number}  point of the top left pixel
---@field scale number      pixels a point has: point = origin + pixel / scale
---@field route string      how it was taken: "shm", "composite, shm", "image", ...; for tests and logs
---@field path? string      where it was written

--- Captures a screenshot.
---@param what? sys.screen.Capture
---@return sys.screen.Picture? picture
---@return string? err
---@return string? code  "no_display", "display_not_found", "window_not_found", "window_minimized", "outside" (lies on no display, or
---                      not in the window), "capture_failed", "too_large", "bad_path", "file_io_error" (it cannot be written,
---                      or what exists there is not an image; nothing half-written stays), "permission_denied_screen", "timeout", "display_lost", "desktop_hung", "not_supported"
function screen.capture(what) end

---@class sys.screen.Drawn
---@field display? integer          as of sys.screen.Capture, and so are the next three
---@field window? sys.window.Ref
---@field region? sys.window.Rect   not with window
---@field all? boolean
---@field wait? number     seconds to wait; default 10, at most 60
---@field timeout? number  seconds for the whole call, waiting for its turn included

--- Waits until something is drawn there; false if nothing was for so long. The pixels may be the same as before. Of a window
--- that is covered, drawing may not be reported: look at its picture.
---@param what? sys.screen.Drawn
---@return boolean? drawn
---@return string? err
---@return string? code  "not_supported": the system does not report drawing; others as of capture()
function screen.drawn(what) end

return screen
