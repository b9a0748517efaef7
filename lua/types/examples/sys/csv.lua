local csv = require "sys.csv"

--- decode
print(csv.decode 'a,"b, c"\n1,2\n')                            --> { { "a", "b, c" }, { "1", "2" } }
print(csv.decode("name;age\nAda;36", { separator = ";", heading = true }))   --> { { age = "36", name = "Ada" } }

local rows, err, code = csv.decode 'a\n"b'
print(rows, err, code)                                         --> nil	line 2: the quote is not closed	not_csv

--- encode
print(csv.encode { { "a", 'say "hi"' } })                       --> a,"say ""hi"""
print(csv.encode({ { name = "Ada", age = 36 } }, { heading = true, columns = { "name", "age" } }))   --> name,age
--> Ada,36
