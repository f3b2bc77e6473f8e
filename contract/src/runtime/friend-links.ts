export const friendLinkLimits = {
  noteMax: 100,
  /** Active links of kind `link` of one user. */
  activeMax: 20,
  /** Active QR codes of one user. One more revokes the oldest. */
  activeQrMax: 5,
  usesDefault: 1,
  daysDefault: 7,
  qrUses: 20,
  qrMinutes: 10,
  codeMax: 200,
  /** Days after its end for which the data of the creator names a link and its uses. */
  keepDays: 30,
} as const
