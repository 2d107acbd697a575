/** What the archive of a user's own data says about itself. */
export const readmeText = `This is what you have stored in Handbill.

handbill.json     when and where the archive was made, how many files each part has, and what is left out
profile.json      your account
shares/           a folder for each share: share.json, its content, its files, and former contents in revisions/
documents/        a file for each document: its title and options between two lines of ---, then its text
files/            your files in their folders; files.json says more about them
messages.ndjson   the messages in your mailbox, one a line
calendar.ics      your calendar, for other programs; calendar.json is the same as Handbill knows it
audit.ndjson      what the log has of your own actions, and of your account otherwise, one a line
trash/            documents and files that are in the trash

Sealed shares are in it as they are stored: encrypted, in files that end in .sealed, and the page of one with files. Only the key in the
link of each opens them.

Passwords, tokens and the links of recipients are not in it, nor are requests, receipts, webhooks, notifications, check-ins, files that
others sent you, and what others share with you. Times are in UTC.

The command "handbill import" takes this archive to another Handbill, or brings back what you have deleted.
`;
