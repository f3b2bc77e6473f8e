export const safetyStrings = {
  title: 'Safety',
  openPins: 'Live and scheduled pins',
  openPinsFailed: 'Failed to load your pins',
  noOpenPins: 'You have no live or scheduled pins',
  deletePin: 'Delete',
  deletePinOf: (name: string) => `Delete ${name}`,
  links: 'Public links',
  noLinks: 'You have no public links',
  linkText: (pin: string) => `Opens ${pin} for anyone who has it. Ending the link deletes the pin.`,
  endLink: 'End',
  endLinkOf: (pin: string) => `End the public link of ${pin}`,
} as const
