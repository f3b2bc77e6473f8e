import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import Typography from '@mui/material/Typography'

interface Props {
  formId: string
  /** Who will see the ping and until when, or why it cannot be sent. */
  sentence: string | null
  isPending: boolean
  isDisabled: boolean
  label: string
}

export function CreatePingFooter({ formId, sentence, isPending, isDisabled, label }: Props) {
  return (
    <DialogActions sx={{ flexWrap: 'wrap', borderTop: 1, borderColor: 'divider', pt: 2, pb: 'max(16px, var(--sab))' }}>
      <Typography role="status" variant="body2" color="textSecondary" sx={{ flex: '1 1 180px', fontWeight: 600 }}>
        {sentence}
      </Typography>
      <Button
        type="submit"
        form={formId}
        variant="contained"
        size="large"
        loading={isPending}
        disabled={isDisabled}
        sx={{ flex: { xs: '1 1 100%', sm: '0 0 auto' }, m: '0 !important' }}
      >
        {label}
      </Button>
    </DialogActions>
  )
}
