--- Stand-in for sys.picture: images are "IMG 800x600" and whatever follows.
local picture = {}

function picture.look(bytes)
  local width, height = bytes:match "^IMG (%d+)x(%d+)"
  if not width then return nil, "it is not a PNG, JPEG or WebP image", "not_an_image" end
  return { mime_type = "image/png", width = tonumber(width), height = tonumber(height) }
end

function picture.fit(bytes, wanted)
  local head = assert(picture.look(bytes))
  local side = math.max(head.width, head.height)
  head.bytes, head.factor = bytes, 1
  if (wanted.longest or 0) > 0 and side > wanted.longest then
    head.factor = wanted.longest / side
    head.width, head.height = math.floor(head.width * head.factor), math.floor(head.height * head.factor)
    head.bytes = ("IMG %dx%d"):format(head.width, head.height)
  end
  return head
end

return picture
