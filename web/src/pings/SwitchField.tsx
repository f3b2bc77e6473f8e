import Box from '@mui/material/Box'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { useId } from 'react'

interface Props {
  label: string
  help?: string
  checked: boolean
  onChange: (checked: boolean) => void
}

export function SwitchField({ label, help, checked, onChange }: Props) {
  const id = useId()
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
      </Box>
      <Switch
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        slotProps={{
          input: {
            'aria-labelledby': `${id}-label`,
            ...(help !== undefined && { 'aria-describedby': `${id}-help` }),
          },
        }}
      />
    </Box>
  )
}
