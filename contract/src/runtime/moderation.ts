export const moderationLimits = {
  reportTextMax: 1000,
  suspensionReasonMax: 500,
  suspensionDaysMax: 365,
  invitationNoteMax: 100,
  invitationUsesMax: 1000,
  invitationDaysMax: 90,
  invitationsMax: 500,
  /** How long an invitation link is valid by default. */
  invitationDaysDefault: 7,
  pageDefault: 30,
  pageMax: 100,
  /** Days until a handled report is erased. */
  handledDays: 30,
  /** Days until a report that no admin has handled is erased. */
  openDays: 180,
  adminCodeHours: 24,
} as const
