import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { useId } from 'react'

interface Props {
  label: string
  help?: string
  error?: string | undefined
  checked: boolean
  onChange: (checked: boolean) => void
}

export function SwitchField({ label, help, error, checked, onChange }: Props) {
  const id = useId()
  const describedBy = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`].filter(Boolean)
  return (
    <Box component="label" sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 48, cursor: 'pointer' }}>
      <Box sx={{ flex: 1 }}>
        <Typography id={`${id}-label`} sx={{ fontWeight: 600 }}>
          {label}
        </Typography>
        {help !== undefined && (
          <Typography id={`${id}-help`} variant="body2" color="textSecondary">
            {help}
          </Typography>
        )}
        {error !== undefined && (
          <FormHelperText id={`${id}-error`} error sx={{ mx: 0 }}>
            {error}
          </FormHelperText>
        )}
      </Box>
      <Switch
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        slotProps={{
          input: {
            'aria-labelledby': `${id}-label`,
            ...(describedBy.length > 0 && { 'aria-describedby': describedBy.join(' ') }),
            ...(error !== undefined && { 'aria-invalid': true }),
          },
        }}
      />
    </Box>
  )
}
