--- Contacts: tasks and the scripts that do them.

return {
  app   = "com.apple.AddressBook",
  name  = "Contacts",
  words = "address book people person phone",
  examples = {
    { task = "Add a person with an email address.",
      command = "make",
      script = [[
tell application "Contacts"
  set ann to make new person with properties {first name:"Ann", last name:"Lee"}
  make new email at end of emails of ann with properties {label:"work", value:"ann@example.com"}
  save
end tell]] },

    { task = "Find the email address or the phone number of a person.",
      command = "contact info.value",
      script = [[tell application "Contacts" to get value of first email of (first person whose name is "Ann Lee")]] },

    { task = "Find out when a person was born.",
      command = "person.birth date",
      script = [[tell application "Contacts" to get birth date of (first person whose name is "Ann Lee")]] },

    { task = "Put a person into a group.",
      command = "add",
      script = [[
tell application "Contacts"
  add person "Ann Lee" to group "Friends"
  save
end tell]] },

    { task = "Find out where a person lives.",
      command = "address.formatted address",
      script = [[
tell application "Contacts"
  get formatted address of first address of (first person whose name is "Ann Lee")
end tell]] },

    { task = "Export a person as a vCard.",
      command = "person.vcard",
      script = [[tell application "Contacts" to get vcard of (first person whose name is "Ann Lee")]] },
  },
}
