local text = require "sys.text"

--- distance
print(text.distance("window", "widnow"), text.distance("a", "bcdef", 2))   --> 1	nil

--- inspect
print(text.inspect { a = 1, "b" })   --> { "b", a = 1 }

--- matches
print(text.matches({ "a1", "b" }, "[0-9]"))   --> { true, false }

--- plain
print(text.plain "two\nlines")   --> two lines

--- trim
print("[" .. text.trim "  a b\u{A0}" .. "]")   --> [a b]

--- trim_start
print("[" .. text.trim_start "  a " .. "]")   --> [a ]

--- trim_end
print("[" .. text.trim_end "  a " .. "]")   --> [  a]

--- split
print(text.split("a,,b", ","))          --> { "a", "", "b" }
print(text.split("a=b=c", "=", 2))      --> { "a", "b=c" }

--- lines
print(text.lines "one\r\ntwo\n")   --> { "one", "two" }

--- starts
print(text.starts("notes.txt", "notes"), text.starts("notes.txt", "txt"))   --> true	false

--- ends
print(text.ends("notes.txt", ".txt"))   --> true

--- replace
print(text.replace("1.2.3", ".", "-"))   --> 1-2-3	2

--- lower
print(text.lower "ÄRGER")   --> ärger

--- upper
print(text.upper "straße")   --> STRAẞE

--- fold
print(text.fold "STRASSE" == text.fold "Straße")   --> true

--- normalize
print(#text.normalize("é", "NFD"), #text.normalize("é", "NFC"))   --> 3	2

--- len
print(text.len "Zoë 🇪🇺", #"Zoë 🇪🇺")   --> 5	13

--- sub
print(text.sub("日本語", 2, -1))   --> 本語

--- characters
print(text.characters "né!")   --> { "n", "é", "!" }

--- width
print(text.width "日本", text.width "ab")   --> 4	2

--- pad
print(text.pad("日本", 6) .. "|", text.pad("7", 3, "right") .. "|")   --> 日本  |	  7|

--- truncate
print(text.truncate("A long title", 8))   --> A long …
