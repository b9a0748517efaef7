-- get_slide_size: the size of a document's slides.
-- argv: bundle id, document id ("" for the front document)
-- Prints: document id|width|height        (points)
on run argv
	using terms from application id "com.apple.Keynote"
		tell application id (item 1 of argv)
			if item 2 of argv is "" then
				if (count of documents) = 0 then error "no document is open" number -1728
				set docRef to front document
			else
				set docRef to document id (item 2 of argv)
			end if
			set {docId, w, h} to {id, width, height} of docRef
		end tell
	end using terms from
	return (docId as text) & "|" & (w as text) & "|" & (h as text)
end run
