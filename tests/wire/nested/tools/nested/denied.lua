return { description = "A tool that nobody may call.", inputSchema = { type = "object" }, run = function() return "called" end }
