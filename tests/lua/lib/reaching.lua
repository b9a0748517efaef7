--- A lib file that reaches further than a guest may.
return { has_fs = type(require("sys.fs").read) == "function" }
