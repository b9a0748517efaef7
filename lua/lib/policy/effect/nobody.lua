--- The subject of what a file of a server's does by itself, apart from any call.

return { kind = "file", name = "", toolset = "", label = "", mounted = false, shipped = false, aliases = {}, annotations = {} }
