import LanguageRounded from '@mui/icons-material/LanguageRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { listedLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/translate.ts'
import { lazyComponent } from '../../ui/lazy.tsx'
import { nameOfLanguage, useLanguageDialog } from './use-language-dialog.ts'

const LanguageDialog = lazyComponent(async () => (await import('./LanguageDialog.tsx')).LanguageDialog)

/** The globe at the bottom of the screens without a session. */
export function LanguageButton() {
  const { button, isOpen, open, close } = useLanguageDialog()
  return (
    <Box sx={{ mt: 2, textAlign: 'center' }}>
      <Button
        ref={button}
        color="inherit"
        size="small"
        startIcon={<LanguageRounded />}
        onClick={open}
        aria-label={`${t('profile.language.title')}: ${nameOfLanguage}`}
        aria-haspopup="dialog"
      >
        <span lang={listedLanguage}>{nameOfLanguage}</span>
      </Button>
      <LanguageDialog open={isOpen} onClose={close} />
    </Box>
  )
}
