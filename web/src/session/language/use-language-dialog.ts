import { locales } from '@hither/contract/runtime/locales.ts'
import { useEffect, useRef, useState } from 'react'
import { listedLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { takeLanguageChanged } from './language-choice.ts'

/** The name of the active language in itself. */
export const nameOfLanguage = locales.find(({ tag }) => tag === listedLanguage)?.name ?? listedLanguage

/**
 * The state of the list of languages behind a button. After the page was reloaded for another language, the button gets the focus
 * and the language is announced.
 */
export function useLanguageDialog() {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const { showNotice } = useSnackbar()

  useEffect(() => {
    if (!takeLanguageChanged()) return
    button.current?.focus()
    showNotice(t('profile.language.changed', { language: nameOfLanguage }))
  }, [showNotice])

  return { button, isOpen, open: () => setIsOpen(true), close: () => setIsOpen(false) }
}
