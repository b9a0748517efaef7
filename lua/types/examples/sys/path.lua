local path = require "sys.path"

--- join
print(path.join("/home/ada", "notes", "today.txt"))   --> /home/ada/notes/today.txt
print(path.join("/home/ada", "/tmp"))                 --> /tmp

--- name
print(path.name "/a/b.txt", path.name "/a/b/")   --> b.txt	b

--- directory
print(path.directory "/a/b.txt", path.directory "b.txt")   --> /a	.

--- extension
print(path.extension "a.tar.gz", path.extension ".profile" == "")   --> .gz	true

--- stem
print(path.stem "/x/a.tar.gz")   --> a.tar

--- is_absolute
print(path.is_absolute "/a", path.is_absolute "a")   --> true	false

--- normal
print(path.normal "/a/../b/./c/")   --> /b/c

--- relative
print(path.relative("/a/c/d", "/a/b"))   --> ../c/d

--- expand
print(path.expand "~/notes" ~= "~/notes", path.expand "/a")   --> true	/a
