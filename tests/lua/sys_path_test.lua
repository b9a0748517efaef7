#!/usr/bin/env tests/lua/run
--- sys.path: paths as text.
local path = require "sys.path"
local t    = require "check"

t.case("parts of a path", function()
  for whole, parts in pairs {
    ["/a/b.txt"] = { "b.txt", "/a", ".txt", "b" }, ["/a/b.txt/"] = { "b.txt", "/a", ".txt", "b" }, ["b"] = { "b", ".", "", "b" },
    ["/"] = { "/", "/", "", "/" }, ["//"] = { "/", "/", "", "/" }, [""] = { "", ".", "", "" }, ["/a"] = { "a", "/", "", "a" },
    ["a//b"] = { "b", "a", "", "b" }, [".profile"] = { ".profile", ".", "", ".profile" },
    ["a.tar.gz"] = { "a.tar.gz", ".", ".gz", "a.tar" },
    ["/x/a."] = { "a.", "/x", ".", "a" }, ["é/ü.md"] = { "ü.md", "é", ".md", "ü" },
  } do
    t.same({ path.name(whole), path.directory(whole), path.extension(whole), path.stem(whole) }, parts, whole)
  end
end)

t.case("parts of a long text", function()
  for _, text in ipairs { ("x"):rep(100000), ("x "):rep(50000), ("/"):rep(100000) .. "x", ("x/"):rep(50000) } do
    local whole = text .. "/b.txt//"
    t.same({ path.name(whole), #path.directory(whole), path.extension(whole) }, { "b.txt", #text:gsub("/$", ""), ".txt" })
  end
end)

t.case("joined", function()
  t.same(path.join("a", "b"), "a/b")
  t.same(path.join("a/", "", "b"), "a/b")
  t.same(path.join("a", "/b", "c"), "/b/c")
  t.same(path.join("/", "a"), "/a")
  t.same(path.join(), "")
end)

t.case("normal", function()
  for given, want in pairs { ["/a/../b/"] = "/b", ["a/./b//c"] = "a/b/c", ["../x"] = "../x", ["a/../../x"] = "../x", ["/.."] = "/",
    [""] = ".", ["a/.."] = ".", ["/"] = "/", ["../../a/.."] = "../.." } do
    t.same(path.normal(given), want, given)
  end
end)

t.case("the way from one to another", function()
  t.same(path.relative("/a/c/d", "/a/b"), "../c/d")
  t.same(path.relative("/a", "/a"), ".")
  t.same(path.relative("/", "/a/b"), "../..")
  t.same(path.relative("a/b", "."), "a/b")
  t.raises(function() path.relative("/a", "b") end, "absolute")
  t.raises(function() path.relative("a", "../b") end, "is not known")
end)

t.case("the home directory", function()
  t.same(path.expand "~/x", path.expand "~" .. "/x")
  t.same(path.expand "~ann/x", "~ann/x")
  t.same(path.expand "/a/~", "/a/~")
  t.same(path.is_absolute(path.expand "~"), true)
end)

t.done()
