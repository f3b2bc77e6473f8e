import { type LanguageTag, locales } from '@hither/contract/runtime/locales.ts'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useId, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { useSession } from '../session.ts'
import { automaticLanguage, chooseLanguage, chosenLanguage } from './language-choice.ts'

interface Props {
  open: boolean
  onClose: () => void
}

/** The list of languages. A tap stores the choice and reloads the page. */
export function LanguageDialog({ open, onClose }: Props) {
  const id = useId()
  const { user } = useSession()
  const { showError } = useSnackbar()
  const [chosen, setChosen] = useState(chosenLanguage)
  const nameOf = (tag: LanguageTag) => locales.find((locale) => locale.tag === tag)?.name ?? tag

  async function choose(value: string) {
    const choice = locales.find(({ tag }) => tag === value)?.tag ?? null
    setChosen(choice)
    if (await chooseLanguage(choice, user)) return
    setChosen(chosenLanguage())
    showError(t('profile.language.offline'))
  }

  return (
    <Dialog open={open} onClose={onClose} fullWidth maxWidth="xs" aria-labelledby={id}>
      <DialogTitle id={id}>{t('profile.language.title')}</DialogTitle>
      <DialogContent>
        <RadioGroup aria-labelledby={id} value={chosen ?? ''} onChange={(_event, value) => void choose(value)}>
          <Language value="" label={t('profile.language.automatic', { language: nameOf(automaticLanguage()) })} />
          {locales.map(({ tag, name, dir, reviewed }) => (
            <Language key={tag} value={tag} label={name} lang={tag} dir={dir} isBeta={!reviewed} />
          ))}
        </RadioGroup>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{t('profile.language.close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

function Language(props: { value: string; label: string; lang?: string; dir?: string; isBeta?: boolean }) {
  const { value, label, lang, dir, isBeta = false } = props
  return (
    <FormControlLabel
      value={value}
      control={<Radio />}
      slotProps={{ typography: { component: 'div', sx: { flex: 1 } } }}
      sx={{ minHeight: 48 }}
      label={
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
          <span lang={lang} dir={dir}>
            {label}
          </span>
          {isBeta && <Chip size="small" label={t('profile.language.beta')} />}
        </Box>
      }
    />
  )
}
