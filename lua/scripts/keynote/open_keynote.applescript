-- open_keynote: bring Keynote up with a document, slide 1 in view.
-- argv: bundle id, "always_new" or "reuse_or_create", theme name
-- Prints: document id|width|height|note        (lengths in points; the note may be empty)
-- A theme's name is localised, so a theme is looked for by id first: White is Application/21_BasicWhite/Standard.
on run argv
	set wantNew to (item 2 of argv is "always_new")
	set themeName to item 3 of argv
	set note to ""
	using terms from application id "com.apple.Keynote"
		tell application id (item 1 of argv)
			activate
			with timeout of 60 seconds
				if not wantNew and (count of documents) > 0 then
					set docRef to front document
				else
					set themeRef to missing value
					if themeName is in {"White", "Basic White"} then
						if exists (first theme whose id is "Application/21_BasicWhite/Standard") then
							set themeRef to (first theme whose id is "Application/21_BasicWhite/Standard")
						end if
					end if
					if themeRef is missing value and (exists (first theme whose name is themeName)) then
						set themeRef to (first theme whose name is themeName)
					end if
					if themeRef is missing value then
						set note to "The theme " & themeName & " was not found; the default theme is used."
						set docRef to make new document
					else
						set docRef to make new document with properties {document theme:themeRef}
					end if
				end if
				set current slide of docRef to slide 1 of docRef
				set {docId, w, h} to {id, width, height} of docRef
			end timeout
		end tell
	end using terms from
	return (docId as text) & "|" & (w as text) & "|" & (h as text) & "|" & note
end run
