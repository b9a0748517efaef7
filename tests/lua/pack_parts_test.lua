#!/usr/bin/env tests/lua/run
--- The parts of a pack that `perigee pack` reads without running it: requires, pack.lua, sources and trees.
local t        = require "check"
local content  = require "pack.content"
local engine   = require "sys.engine"
local files    = require "sys.files"
local fs       = require "sys.fs"
local manifest = require "pack.manifest"
local requires = require "pack.requires"
local source   = require "pack.source"
local tokens   = require "pack.tokens"
local tree     = require "pack.tree"

--- "a b !2": modules by name, then the lines of places that cannot be told.
local function told(text)
  local found, said = requires.of(text), {}
  for name in pairs(found.modules) do said[#said + 1] = name end
  table.sort(said)
  for _, place in ipairs(found.hidden) do said[#said + 1] = "!" .. place.line end
  return table.concat(said, " ")
end

t.case("finds what is required by name, in every spelling", function()
  t.same(told [[local a = require "x" require'y' require("z.w") require [=[sys.fs]=] ]], "sys.fs x y z.w")
  t.same(told "require\n\n--[[ here ]] 'late'", "late")
  t.same(told [[require "sys.\112rocess" require "\x61" require "\u{62}" require "\z
    c"]], "a b c sys.process")
  t.same(told [[return { run = function() require("sys.env") end }]], "sys.env")
end)

t.case("counts the files of each folder", function()
  t.same(content.summary { files = { { path = "dictionary/mail.lua" }, { path = "dictionary/notes.lua" }, { path = "lib/a.lua" },
    { path = "tools/a/b.lua" }, { path = "pack.lua" } } }, "1 tool, 1 lib file, 2 example files")
end)

t.case("takes comments and strings for what they are to Lua", function()
  t.same(told "-- require 'no'\nrequire 'yes'", "yes")
  t.same(told "-- a comment ends at a carriage return, too\rrequire 'yes'", "yes")
  t.same(told "--[==[ require 'no' ]] ]==] require 'yes'", "yes")
  t.same(told "--[ require 'no'\nrequire 'yes'", "yes")
  t.same(told [[local s = 'require "no"' .. "\"require 'no'" require "yes"]], "yes")
  t.same(told "local s = [[\nrequire 'no']] require 'yes'", "yes")
  t.same(told [[local n = 3-require "neg" + 1e-require "exponent"]], "neg")   -- the second is no Lua
end)

t.case("says where it cannot be told", function()
  t.same(told [[require(name)]], "!1")
  t.same(told [[require("a" .. "b")]], "!1")
  t.same(told [[require("ok", 1)]], "!1")
  t.same(told "local r = require\nr 'x'", "!1")
  t.same(told "f { require = 1, x = require }", "!1")
  t.same(told "local function require() end", "!1")
  t.same(told "\nlocal e = _ENV\nlocal g = _G", "!2 !3")
  t.same(told "a = 'unclosed\n", "!1")
  t.same(told "require 'x'\n\na = [[", "x !3")
  t.same(told [["\q"]], "!1")
  t.same(told [[x.require "a" x:require "a" y = { _G = 1, require = 2 } z = x._ENV]], "", "fields are other things")
end)

t.case("finds each require line of the files that come with Perigee", function()
  local shipped, seen, hidden = engine.status().roots[1], 0, {}
  local quoting = { ["lib/cli/starters.lua"] = true, ["lib/pack/skeleton.lua"] = true }   -- they have files as text
  for _, file in ipairs(files.list()) do
    local text = file.root == shipped and fs.read(file.path)
    local found = text and requires.of(text)
    for _, place in ipairs(found and found.hidden or {}) do hidden[file.label] = place.line end
    for name in (text or ""):gmatch "\nlocal [%w_]+%s+= require \"([%w_.]+)\"" do
      t.ok(found.modules[name] or quoting[file.label], file.label .. " requires " .. name)
      seen = seen + 1
    end
  end
  t.ok(seen > 500, "it was read")
  for _, label in ipairs { "commands/doctor.lua", "commands/pack.lua", "testing/standin.lua",
    "lib/cli/install.lua", "lib/cli/name_check.lua", "lib/backends.lua" } do
    t.ok(hidden[label], label .. " computes a name")
    hidden[label] = nil
  end
  t.same(hidden, {})
end)

t.case("reads tokens with the lines they are on", function()
  local list = tokens.of "a\r\n\"b\\\nc\" --x\n0x1p-3.. :: [==[\nd]]\n]==]"
  local said = {}
  for i, token in ipairs(list) do said[i] = ("%s %q %d"):format(token.kind, token.text, token.line) end
  t.same(table.concat(said, "; "):gsub("\\\n", "\\n"), 'name "a" 1; string "b\\nc" 2; number "0x1p-3.." 4; mark "::" 4; '
    .. 'string "d]]\\n" 4; end "" 6')
  t.same({ tokens.of "x = \"a\nb\"" }, { nil, "a string is not closed", 1 })
end)

t.case("compares versions by their numbers", function()
  local function missing(needs, version)
    local made = t.ok(manifest.read(("return { name = 'a', version = '1', description = 'D.', requires = { perigee = %q } }")
      :format(needs)))
    return #manifest.missing(made, version, function() return false end) > 0
  end
  t.same({ missing(">= 0.1", "0.1.0"), missing(">=0.1.0", "0.1"), missing(">= 0.9", "0.10.0"), missing(">= 0.10", "0.9.9"),
    missing(">= 1", "0.99"), missing(">= 0.1.1", "0.1.0") }, { false, false, false, true, true, true })
  t.same({ manifest.read "return { name = 'a', version = '1', description = 'D.', requires = { perigee = '< 2' } }" },
    { nil, 'pack.lua: requires.perigee must be like ">= 0.1"', "bad_pack" })
end)

t.case("reads tables of plain values", function()
  local made = t.ok(manifest.read [==[
--- A comment.
---@type perigee.Pack
return {
  ["name"] = "a-b_c", version = [[1.0-rc.1+x]];   -- and another
  description = 'It\'s "good".',
  requires = { packs = { "x", "y", }, },
};]==])
  t.same({ made.name, made.version, made.description, made.requires.packs }, { "a-b_c", "1.0-rc.1+x", "It's \"good\".",
    { "x", "y" } })
  for text, why in pairs {
    ["return { name = 'a', name = 'b' }"] = "the key 'name' is there twice",
    ["return { [1] = 'a' }"] = "a key must be a string",
    ["return { name = 'a' version = '1' }"] = "a comma or } is missing before \"version\"",
    ["return { name = -1 }"] = "only plain values",
    ["return { name = nil }"] = "only plain values",
    ["return { nam = 'a' }"] = "unknown key 'nam'; did you mean name?",
    ["return { 'a' }"] = "unknown key '1'",
    ["return { name = 'a', version = '1', description = 'D.', requires = { packs = { x = 'y' } } }"] = "list of names of packs",
    ["return { name = 'a', version = '1', description = 'D.', requires = { packs = { '../y' } } }"] = "list of names of packs",
    ["return { name = 'a', version = '1 2', description = 'D.' }"] = "letters, digits",
  } do
    local none, err, code = manifest.read(text)
    t.same({ none, code }, { nil, "bad_pack" }, text)
    t.match(err, why, text)
  end
end)

t.case("takes sources apart", function()
  local function parts(word)
    local made, err, code = source.parse(word)
    return made and ("%s %s %s"):format(made.directory or "-", made.url or "-", made.ref or "-") or ("%s: %s"):format(code, err)
  end
  t.same(parts "./moon", "./moon - -")
  t.same(parts "moon@v1", "moon@v1 - -", "a directory has no ref")
  t.same(parts "https://example.com/moon", "- https://example.com/moon -")
  t.same(parts "https://example.com/moon@v1.0", "- https://example.com/moon v1.0")
  t.same(parts "https://ann@example.com/moon.git@feature/x", "- https://ann@example.com/moon.git feature/x")
  t.same(parts "https://example.com/@ann/moon", "- https://example.com/@ann/moon -")
  t.same(parts "ssh://git@example.com:22/moon@0123abc", "- ssh://git@example.com:22/moon 0123abc")
  t.same(parts "git@example.com:ann/moon.git@v1", "- git@example.com:ann/moon.git v1")
  t.same(parts "file:///tmp/moon", "- file:///tmp/moon -")
  for _, word in ipairs { "http://example.com/x", "ftp://example.com/x", "ext::sh -c x", "https://example.com", "https://a:b@example.com/x",
    "ssh://-oProxyCommand=x/y", "https://example.com/x y", "https://example.com/x@-v", "https://example.com/x@a..b",
    "https://example.com/x@a/", "https://example.com/x@a//b", "https://example.com/x@a:b", "-x@example.com:y" } do
    local made, _, code = source.parse(word)
    t.ok(made == nil and code == "usage" or made.directory == word and word:sub(1, 1) == "-", word)
  end
end)

t.case("keeps paths inside, and follows links to files only", function()
  for _, path in ipairs { "", ".", "..", "a/..", "../a", "/a", "a//b", "a/", "a\\b", "a\nb", ".git/x", "a/.GIT", "\xff",
    ("x"):rep(401) } do
    t.same(tree.path_ok(path), false, path)
  end
  for _, path in ipairs { "a", "a/b.c", ".hidden", "a/...", "\u{e9}" } do t.same(tree.path_ok(path), true, path) end
  t.same({ tree.resolve("a/b/l", "../c"), tree.resolve("l", "./x//y"), tree.resolve("a/l", "../../x") or "out",
    tree.resolve("l", "/etc") or "out" }, { "a/c", "x/y", "out", "out" })
  local made = t.ok(tree.files { { path = "a", size = 3 }, { path = "l", size = 1, link = "a" }, { path = "x/.DS_Store", size = 1 } })
  t.same({ #made, made[2].path, made[2].from.path }, { 2, "l", "a" })
  t.same({ select(3, tree.files { { path = "l", size = 1, link = "m" }, { path = "m", size = 1, link = "l" } }) }, { "link" })
  t.same({ select(3, tree.files { { path = "a", size = 3 << 30 } }) }, { "too_large" })
  t.same({ select(3, tree.files { { path = "a", size = 1 }, { path = "A", size = 1 } }) }, { "bad_name" })
end)

t.done()
