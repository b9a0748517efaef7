---@meta sys.screen

--- Images of the desktop, captured, scaled, encoded and saved on another thread. Points are the desktop's, with the origin at
--- the top left of the main display; an image's pixels are counted from its own top left.
---@class sys.screen
local screen = {}

---@class sys.screen.Rect
---@field x number       points
---@field y number
---@field width number
---@field height number

--- The part of the desktop to capture: at most one of display, window and all; with none of them and no region, the main
--- display.
---@class sys.screen.Capture
---@field display? integer  the id in sys.display
---@field window? {pid: integer, started: integer, id: integer}  any table with these, such as those of sys.window; it may be
---                         covered, or partly outside of the displays
---@field all? boolean      every display in one image
---@field region? sys.screen.Rect  cut to what the displays show; with `window`: that part of the window's own image
---@field content_only? boolean  true: the window without title bar and borders
---@field popups? boolean   true: the window with its open menus and other popups, larger if they reach beyond it; on X11
---@field cursor? boolean   true: draw the pointer in
---@field longest? integer  pixels: an image with a longer side is scaled down to it; 0 or absent: full size
---@field format? "png"|"jpeg"  default "png"
---@field quality? integer  for a JPEG, 1 to 100; default 80
---@field path? string      absolute, ending in .png (or .jpg, .jpeg): the image is written there, whole or not at all; folders
---                         are made, and only an image or an empty file is replaced. Only here may a script write to a place
---                         that was not granted, and only an image
---@field named? string     the words that the path was made of, if others named it, for the policy
---@field bytes? boolean    true: return them; default true without path, false with one
---@field marks? boolean    true: return marks, by which a later image can be compared with this one
---@field since? string     the marks of an earlier image: only changes are encoded. Not with path
---@field boxes? sys.screen.Box[]  drawn onto the image, at most 500. Not with since
---@field timeout? number   seconds; default 10, never beyond the call's time limit

--- A box in points.
---@class sys.screen.Box
---@field x number
---@field y number
---@field width number
---@field height number
---@field label? string   at most seven digits and e's

--- A changed part of an image, in its pixels.
---@class sys.screen.Change
---@field x integer
---@field y integer
---@field width integer
---@field height integer
---@field bytes? string     the file of this part

---@class sys.screen.Picture
---@field bytes? string     the file
---@field changes? sys.screen.Change[]  with `since`, in place of bytes: at most four parts that hold every change; empty if there
---                         is none. nil: the sizes differ or more than three fifths changed, and bytes has the whole image
---@field marks? string     about 20 kB
---@field size integer      bytes of the file, or of the parts
---@field mime_type "image/png"|"image/jpeg"
---@field width integer     pixels
---@field height integer
---@field origin {x: number, y: number}  the point of the top left pixel
---@field scale number      pixels per point: point = origin + pixel / scale
---@field route string      how it was captured: "shm", "composite, shm", "image", ...; for tests and logs
---@field path? string      where it was written

--- Captures a screenshot.
---@param what? sys.screen.Capture
---@return sys.screen.Picture? picture
---@return string? err
---@return string? code  "no_display", "display_not_found", "window_not_found", "window_minimized", "outside" (it is on no
---                      display, or not in the window), "capture_failed", "too_large", "bad_path", "file_io_error" (it cannot
---                      be written, or what exists there is not an image; no partly written file stays),
---                      "permission_denied_screen", "timeout", "display_lost", "desktop_hung", "not_supported"
function screen.capture(what) end

---@class sys.screen.Drawn
---@field display? integer          the same as for sys.screen.Capture, and so are the next three
---@field window? sys.window.Ref
---@field region? sys.window.Rect   not with window
---@field all? boolean
---@field wait? number     seconds to wait; default 10, at most 60
---@field timeout? number  seconds for the whole call, including the wait for its turn

--- Waits until something is drawn there; false if nothing was in that time. The pixels may be the same as before. For a covered
--- window, drawing may not be reported: capture it to see.
---@param what? sys.screen.Drawn
---@return boolean? drawn
---@return string? err
---@return string? code  "not_supported": the system does not report drawing; otherwise those of capture()
function screen.drawn(what) end

return screen
