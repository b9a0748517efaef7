local screen = require "sys.screen"

--- capture
-- Half the size, as a JPEG in memory. With path = "/tmp/shot.png" it would be written there.
local corner = { x = 0, y = 0, width = 400, height = 300 }
local picture = assert(screen.capture { region = corner, longest = 200, format = "jpeg" })
print(picture.width, picture.height, picture.mime_type, #picture.bytes == picture.size)   --> 200	150	image/jpeg	true

-- One window, even when others cover it.
local front = assert(require "sys.window".list())[1]
print(assert(screen.capture { window = front }).width > 0)                                --> true

--- drawn
local drawn, err, code = screen.drawn { wait = 0 }
print(drawn == false or code == "not_supported")   --> true
