/** Whether the service sends email. */
export const isMailOn = document.getElementById('users')?.dataset['mail'] === 'on';
