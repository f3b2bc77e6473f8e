import { formattingLocale } from '../../i18n/language.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** For example "12.3 MB". */
export function bytesText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const format = new Intl.NumberFormat(formattingLocale, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    maximumFractionDigits: power === 0 ? 0 : 1,
  })
  return format.format(bytes / 1000 ** power)
}
