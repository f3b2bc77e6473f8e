import VisibilityOffRounded from '@mui/icons-material/VisibilityOffRounded'
import VisibilityRounded from '@mui/icons-material/VisibilityRounded'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { FormField, type FormFieldProps } from '../ui/FormField.tsx'

export function PasswordField(props: Omit<FormFieldProps, 'type' | 'slotProps'>) {
  const [isShown, setIsShown] = useState(false)
  const toggle = (
    <InputAdornment position="end">
      <IconButton
        edge="end"
        aria-label={isShown ? t('auth.hidePassword') : t('auth.showPassword')}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? <VisibilityOffRounded /> : <VisibilityRounded />}
      </IconButton>
    </InputAdornment>
  )
  return <FormField {...props} type={isShown ? 'text' : 'password'} slotProps={{ input: { endAdornment: toggle } }} />
}
