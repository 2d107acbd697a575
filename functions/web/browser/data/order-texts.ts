/** The orders of lists in words, by how the API and pages name them; `-` reverses. */
export const orderTexts = {
  createdAt: 'Newest first',
  '-createdAt': 'Oldest first',
  soldAt: 'Newest first',
  '-soldAt': 'Oldest first',
  name: 'Name A–Z',
  '-name': 'Name Z–A',
  title: 'Title A–Z',
  '-title': 'Title Z–A',
  views: 'Most views',
  '-views': 'Fewest views',
  expiresAt: 'Ends first',
  '-expiresAt': 'Ends last',
} as const;
