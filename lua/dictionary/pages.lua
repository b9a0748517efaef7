--- Pages: tasks and the scripts that do them.

return {
  app   = "com.apple.iWork.Pages",
  name  = "Pages",
  words = "word processor document letter text",
  examples = {
    { task = "Start a document from a template.",
      command = "make",
      script = [[tell application "Pages" to make new document with properties {document template:template "Blank"}]] },

    { task = "Save a document as PDF or Word.",
      command = "export",
      script = [[tell application "Pages" to export front document to POSIX file "/Users/me/letter.docx" as Microsoft Word]] },

    { task = "Read or replace the text of a document.",
      command = "document.body text",
      script = [[tell application "Pages" to set body text of front document to "Dear Ann,"]] },

    { task = "Save a document.",
      command = "save",
      script = [[tell application "Pages" to save front document in POSIX file "/Users/me/letter.pages"]] },
  },
}
