local fs = require "sys.fs"

--- write
assert(fs.write("notes/today.txt", "one\ntwo\n"))
print(fs.read "notes/today.txt")   --> one
--> two

--- read
assert(fs.write("notes/today.txt", "one"))
print(fs.read "notes/today.txt")                 --> one
print(select(3, fs.read "notes/tomorrow.txt"))   --> not_found
print(select(3, fs.read "/etc/passwd"))          --> not_granted

--- append
assert(fs.write("log.txt", "one\n"))
assert(fs.append("log.txt", "two\n"))
print(#fs.read "log.txt")   --> 8

--- digest
assert(fs.write("abc.txt", "abc"))
print(fs.digest("abc.txt", "md5"))   --> 900150983cd24fb0d6963f7d28e17f72

--- list
assert(fs.write("shelf/b.txt", "12345"))
assert(fs.make_folder "shelf/a")
for _, entry in ipairs(assert(fs.list "shelf")) do
  print(entry.name, entry.kind)   --> a	folder
end
--> b.txt	file

--- stat
assert(fs.write("five.txt", "12345"))
print(assert(fs.stat "five.txt").size)   --> 5

--- make_folder
assert(fs.make_folder "deep/in/here")
print(assert(fs.stat "deep/in").kind)   --> folder

--- remove
assert(fs.write("old.txt", ""))
assert(fs.remove "old.txt")
print(fs.stat "old.txt" == nil)   --> true

--- rename
assert(fs.write("a.txt", "a"))
assert(fs.write("b.txt", "b"))
print(select(3, fs.rename("a.txt", "b.txt")))               --> exists
print(fs.rename("a.txt", "b.txt", { replace = true }))      --> true

--- copy
assert(fs.write("from.txt", "same"))
assert(fs.copy("from.txt", "to.txt", { replace = true }))
print(fs.read "to.txt")   --> same

--- resolve
print(fs.resolve "from.txt")   --> /.../from.txt

--- watch
local changes = assert(fs.watch(assert(fs.resolve ".")))
assert(fs.write("new.txt", "1"))
local event = assert(changes:next(5))
print(event.what, event.kind)   --> created	file
changes:close()
