--- Keynote: tasks and the scripts that do them.

return {
  app   = "com.apple.iWork.Keynote",
  name  = "Keynote",
  words = "presentation slide slideshow deck talk",
  examples = {
    { task = "Make a presentation with a theme.",
      command = "make",
      script = [[tell application "Keynote" to make new document with properties {document theme:theme "White"}]] },

    { task = "Add a slide with a title.",
      command = "make",
      script = [[
tell application "Keynote"
  tell front document
    set page to make new slide
    set object text of default title item of page to "Results"
  end tell
end tell]] },

    { task = "Save a presentation as PDF.",
      command = "export",
      script = [[tell application "Keynote" to export front document to POSIX file "/Users/me/talk.pdf" as PDF]] },

    { task = "Begin to present from the first slide.",
      command = "start",
      script = [[tell application "Keynote" to start front document from first slide of front document]] },

    { task = "Read the speaker's notes of a slide.",
      command = "slide.presenter notes",
      script = [[tell application "Keynote" to get presenter notes of current slide of front document]] },

    { task = "Leave a slide out of the presentation.",
      command = "slide.skipped",
      script = [[tell application "Keynote" to set skipped of slide 3 of front document to true]] },

    { task = "Go to the next slide while presenting.",
      command = "show next",
      script = [[tell application "Keynote" to show next]] },

    { task = "Put a picture on a slide.",
      command = "make",
      script = [[
tell application "Keynote"
  tell current slide of front document to make new image with properties {file:POSIX file "/Users/me/lake.jpg"}
end tell]] },

    { task = "Set the effect between two slides.",
      command = "slide.transition properties",
      script = [[
tell application "Keynote"
  set transition properties of current slide of front document to {transition effect:dissolve, transition duration:1.5}
end tell]] },
  },
}
