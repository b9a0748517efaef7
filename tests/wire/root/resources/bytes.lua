return {
  uri         = "test://bytes",
  description = "Bytes that are no text.",

  read = function() return "\0\xff\xfe" end,
}
