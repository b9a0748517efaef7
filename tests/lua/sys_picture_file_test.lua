#!/usr/bin/env tests/lua/run
--- sys.picture_file: kinds of files at a path, and temporary files. The script's first argument is a folder of its own.
local t       = require "check"
local env     = require "sys.env"
local picture = require "sys.picture_file"
local process = require "sys.process"

local folder = ... .. "/"
local temporary = env.get("TMPDIR", "/tmp"):gsub("/+$", "") .. "/"

local function shell(command, ...)
  local spec = { "sh", "-c", command, "sh", ... }
  spec.cwd = folder
  local result = assert(process.run(spec))
  t.same({ result.code, result.stderr }, { 0, "" }, command)
  return (result.stdout:gsub("\n$", ""))
end

local function kind(name)
  local place = assert(picture.look(folder .. name))
  t.same(place.path, folder .. name)
  return place.kind
end

local function code(...)
  local value, text, what = ...
  t.same(value, nil)
  t.same(type(text), "string")
  return what
end

t.case("a file that may be replaced is told from one that may not", function()
  shell [[
    mkdir sub && printf 'hello' > text && : > empty && mkfifo pipe && ln -s nowhere dangling && ln -s sub link
    printf '\211PNG\r\n\032\n and more' > png && printf '\377\330\377\340' > jpeg && printf '\211PN' > short
    printf '\377\330' > stub]]
  t.same(kind "sub", "folder")
  t.same(kind "link", "folder")
  t.same(kind "text", "other")
  t.same(kind "pipe", "other")
  t.same(kind "short", "other")
  t.same(kind "stub", "other")
  t.same(kind "png", "picture")
  t.same(kind "jpeg", "picture")
  t.same(kind "empty", "picture")
  t.same(kind "dangling", "free")
  t.same(kind "none", "free")
  t.same(kind "none/below", "free")
  t.same(kind "text/below", "free")
end)

t.case("paths become absolute", function()
  local home, here = env.get "HOME", shell "pwd"
  t.same(picture.look "~".path, home)
  t.same(picture.look "~/a.png".path, home .. "/a.png")
  t.same(picture.look("/a//./b/../c.png").path, "/a/b/../c.png")
  t.ok(here ~= "")
  t.match(picture.look "x.png".path, "^/.*/x%.png$")
  t.same(code(picture.look ""), "bad_path")
  t.same(code(picture.look "~somebody/x.png"), "bad_path")
  t.raises(function() picture.look "a\0b" end, "NUL")
end)

t.case("a temporary file is empty, private, new and named", function()
  local one, two = assert(picture.temporary("window_Editor", "png")), assert(picture.temporary("window_Editor", "png"))
  t.ok(one ~= two)
  t.same(one:sub(1, #temporary), temporary)
  t.match(one:sub(#temporary + 1), "^perigee_%x+%-%x+%-4%x+%-[89ab]%x+%-%x+_window_Editor%.png$")
  t.same(shell('stat -c "%a %s" "$1"', one), "600 0")
  t.same(picture.look(one).kind, "picture")
  t.same(picture.remove(one), true)
  t.same(picture.remove(one), true, "gone is fine")
  t.same(picture.look(one).kind, "free")
  t.same(picture.remove(two), true)
end)

t.case("nothing else is removed", function()
  shell "printf x > perigee_x.png"
  t.same(code(picture.remove(folder .. "perigee_x.png")), "not_ours")
  t.same(code(picture.remove(folder .. "perigee_00000000-0000-4000-8000-000000000000_x.png")), "not_ours")
  t.same(code(picture.remove(temporary .. "perigee_0_x.png")), "not_ours")
  t.same(kind "perigee_x.png", "other")
end)

t.case("a file that was left an hour ago is swept, one that is younger or another program's stays", function()
  local id = ("%08x-0000-4000-8000-%012x"):format(math.random(0, 0xffffffff), math.random(0, 0xffffffffff))
  local old, young = temporary .. "perigee_" .. id .. "_old.png", temporary .. "perigee_" .. id .. "_young.png"
  local other = temporary .. "perigee_" .. id .. ".png"
  shell([[touch -d '61 minutes ago' "$1" "$3" && touch -d '59 minutes ago' "$2"]], old, young, other)
  local fresh = assert(picture.temporary("x", "jpg"))
  t.same(picture.look(old).kind, "free")
  t.same(picture.look(young).kind, "picture")
  t.same(picture.look(other).kind, "picture")
  shell([[rm -f "$1" "$2"]], young, other)
  t.same(picture.remove(fresh), true)
end)

t.case("wrong names are refused", function()
  t.raises(function() picture.temporary("a/b", "png") end, "file name")
  t.raises(function() picture.temporary("", "png") end, "file name")
  t.raises(function() picture.temporary("a", "../x") end, "extension")
end)

t.done()
