--- sys.clipboard: what is written is read, by types; history; limits.
local t         = require "check"
local clipboard = require "sys.clipboard"

t.case("text is written and read", function()
  local text = "héllo – 世界 🎉\n\ttab"
  t.same(clipboard.write { ["text/plain"] = text }, true)
  local clip = assert(clipboard.read())
  t.same(clip.parts["text/plain"], text)
  t.same(clip.secret, false)
  assert(clipboard.write { ["text/plain"] = "" })
  t.same(assert(clipboard.read()).parts["text/plain"], "")
end)

t.case("several types stay together, and some are read", function()
  local png = "\137PNG\r\n\26\n\0data"
  assert(clipboard.write { ["text/plain"] = "bold", ["text/html"] = "<b>bold</b>", ["image/png"] = png })
  local clip = assert(clipboard.read())
  t.same(clip.parts, { ["text/plain"] = "bold", ["text/html"] = "<b>bold</b>", ["image/png"] = png })
  t.same(assert(clipboard.read { types = { "text/html" } }).parts, { ["text/html"] = "<b>bold</b>" })
  t.same(assert(clipboard.read { types = { "text/rtf" } }).parts, {})
end)

t.case("an empty clipboard has no parts", function()
  assert(clipboard.write { ["text/plain"] = "gone" })
  t.same(clipboard.clear(), true)
  t.same(assert(clipboard.read()), { parts = {}, types = {}, secret = false })
end)

t.case("many megabytes come back", function()
  local data = ("0123456789abcdef"):rep(1 << 20)
  assert(clipboard.write { ["text/plain"] = data })
  t.ok(assert(clipboard.read()).parts["text/plain"] == data)
  assert(clipboard.clear())
end)

t.case("history is kept only when asked, bounded, without secrets and without what is too long", function()
  assert(clipboard.write { ["text/plain"] = "before" })
  t.same(clipboard.history(), {})
  assert(clipboard.keep_history { entries = 3, entry_bytes = 20 })
  for i = 1, 5 do assert(clipboard.write { ["text/plain"] = "entry " .. i }) end
  assert(clipboard.write({ ["text/plain"] = "password" }, { secret = true }))
  t.same(assert(clipboard.read()).secret, true)
  assert(clipboard.write { ["text/plain"] = ("long "):rep(20) })
  local texts = {}
  for i, entry in ipairs(assert(clipboard.history())) do
    texts[i] = entry.parts["text/plain"]
    t.ok(entry.when > 1600000000)
  end
  t.same(texts, { "entry 5", "entry 4", "entry 3" })
  assert(clipboard.keep_history { entries = 0 })
  t.same(clipboard.history(), {})
end)

t.case("history keeps HTML and files, too, and a picture that comes without a text", function()
  assert(clipboard.keep_history { entries = 5 })
  local drawn = { ["text/plain"] = "drawn", ["text/html"] = "<b>drawn</b>", ["image/png"] = "\137PNG of the text" }
  assert(clipboard.write(drawn))
  assert(clipboard.write { ["text/uri-list"] = "file:///tmp/a\r\n" })
  assert(clipboard.write { ["image/png"] = "\137PNG" })
  assert(clipboard.write { ["application/x-other"] = "not kept" })
  local parts = {}
  for i, entry in ipairs(assert(clipboard.history())) do parts[i] = entry.parts end
  assert(clipboard.keep_history { entries = 0 })
  t.same(parts, { { ["image/png"] = "\137PNG" }, { ["text/uri-list"] = "file:///tmp/a\r\n" },
                  { ["text/plain"] = "drawn", ["text/html"] = "<b>drawn</b>" } })
end)

t.case("copies of one's own are no changes, and a mark of nothing proves nothing", function()
  local first = assert(clipboard.changes())
  t.same(first.changed, false)
  assert(clipboard.write { ["text/plain"] = "own" })
  t.same(clipboard.changes { since = first.next }, { next = first.next, changed = false })
  t.same(assert(clipboard.changes { since = 1 }).changed, false)
  t.raises(function() clipboard.changes { since = -1 } end, "since")
end)

t.case("wrong use raises", function()
  t.raises(function() clipboard.write {} end, "no parts")
  t.raises(function() clipboard.write { "text" } end, "media type")
  t.raises(function() clipboard.write { text = "x" } end, "are not media types%. Use")
  t.raises(function() clipboard.write({ ["text/plain"] = "x" }, { hidden = true }) end, "hidden")
  t.raises(function() clipboard.read { max_bytes = 0 } end, "max_bytes")
  t.raises(function() clipboard.keep_history { entries = 1000 } end, "entries")
  t.raises(function() clipboard.keep_history {} end, "entries")
end)

t.done()
