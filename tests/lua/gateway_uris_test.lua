#!/usr/bin/env tests/lua/run
--- gateway.uris: addresses of mounted servers' resources, out and back.
local t    = require "check"
local uris = require "gateway.uris"

t.case("a scheme of any name, and none that is taken", function()
  t.same(uris.scheme("fs", {}), "fs")
  t.same(uris.scheme("My Files_2", {}), "my-files-2")
  t.same(uris.scheme("9p", {}), "m9p")
  t.same(uris.scheme("über", {}), "m--ber")
  t.same(uris.scheme("", {}), "m")
  t.same(uris.scheme("fs", { fs = 1, ["fs-2"] = 1 }), "fs-3")
end)

t.case("out and back", function()
  for _, uri in ipairs { "file:///a", "urn:x:y", "book://{title}{?page}", "fs+x:y", "no scheme at all" } do
    t.same(uris.ours("fs", uri), "fs+" .. uri)
    t.same(uris.theirs("fs", uris.ours("fs", uri)), uri)
  end
  t.same(uris.theirs("fs", "FS+x:y"), "x:y")      -- schemes are the same in any case
  t.same(uris.theirs("fs", "fsx+x:y"), "fsx+x:y")
  t.same(uris.theirs("fs", "ev+x:y"), "ev+x:y")
  t.same(uris.theirs("a.b", "aXb+x:y"), "aXb+x:y") -- no pattern
end)

t.case("ui: stays, and nothing is renamed without a scheme", function()
  t.same(uris.ours("fs", "ui://page"), "ui://page")
  t.same(uris.ours(nil, "x:y"), "x:y")
  t.same(uris.theirs(nil, "fs+x:y"), "fs+x:y")
end)

t.case("blocks of every kind, and values that are not blocks", function()
  local blocks = { { type = "text", text = "x:y", uri = "x:y" }, { type = "resource_link", uri = "x:y" },
    { type = "resource", resource = { uri = "x:y" } }, { type = "resource" }, { type = "resource_link", uri = 1 }, "x:y" }
  uris.blocks("fs", blocks)
  t.same(blocks, { { type = "text", text = "x:y", uri = "x:y" }, { type = "resource_link", uri = "fs+x:y" },
    { type = "resource", resource = { uri = "fs+x:y" } }, { type = "resource" }, { type = "resource_link", uri = 1 }, "x:y" })
  uris.blocks("fs", "no list")
end)

t.case("arguments at any depth, keys never", function()
  t.same(uris.arguments("fs", { a = "fs+x:y", b = { "fs+x:y", { ["fs+k"] = "fs+" } }, c = 1, d = true }),
    { a = "x:y", b = { "x:y", { ["fs+k"] = "" } }, c = 1, d = true })
  t.same(uris.arguments(nil, { a = "fs+x:y" }), { a = "fs+x:y" })
  local loop = {}
  loop.loop = loop
  uris.arguments("fs", loop)
end)

t.case("variables of a template", function()
  t.same(uris.variables "log://{day}{?from,to}{/path*}{+rest:3}", { "day", "from", "to", "path", "rest" })
  t.same(uris.variables "x:y", {})
end)

t.done()
