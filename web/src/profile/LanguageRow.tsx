import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { t } from '../i18n/translate.ts'
import { chosenLanguage } from '../session/language/language-choice.ts'
import { nameOfLanguage, useLanguageDialog } from '../session/language/use-language-dialog.ts'
import { lazyComponent } from '../ui/lazy.tsx'

const LanguageDialog = lazyComponent(
  async () => (await import('../session/language/LanguageDialog.tsx')).LanguageDialog,
)

/** The language of this device and of the account, with the list to choose another one. */
export function LanguageRow() {
  const { button, isOpen, open, close } = useLanguageDialog()
  const isAutomatic = chosenLanguage() === null
  return (
    <>
      <ButtonBase
        ref={button}
        onClick={open}
        aria-haspopup="dialog"
        sx={{ display: 'block', width: 1, px: 2, py: 1.5, textAlign: 'start' }}
      >
        <Typography component="span" sx={{ display: 'block', fontWeight: 600 }}>
          {t('profile.language.title')}
        </Typography>
        <Typography component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
          {isAutomatic ? t('profile.language.automatic', { language: nameOfLanguage }) : nameOfLanguage}
        </Typography>
      </ButtonBase>
      <LanguageDialog open={isOpen} onClose={close} />
    </>
  )
}
