import Box from '@mui/material/Box'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { useId } from 'react'

interface Props {
  label: string
  text: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export function PreferenceSwitch({ label, text, checked, onChange }: Props) {
  const id = useId()
  return (
    <Box component="label" sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 2, py: 1.5, cursor: 'pointer' }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography id={`${id}-label`} sx={{ fontWeight: 600 }}>
          {label}
        </Typography>
        <Typography id={`${id}-text`} variant="body2" color="textSecondary">
          {text}
        </Typography>
      </Box>
      <Switch
        checked={checked}
        onChange={(_event, checked) => onChange(checked)}
        slotProps={{ input: { 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-text` } }}
      />
    </Box>
  )
}
