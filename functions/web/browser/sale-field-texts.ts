/** What pages call the texts of a sale, by their names in the API. */
export const saleFieldTexts = { customer: 'Customer', category: 'Category' } as const;
