import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded'
import DownloadRounded from '@mui/icons-material/DownloadRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Checkbox from '@mui/material/Checkbox'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import FormControlLabel from '@mui/material/FormControlLabel'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useId, useState } from 'react'
import { serverOrigin } from '../../../api/base-address.ts'
import { copyText } from '../../../device/clipboard.ts'
import { t } from '../../../i18n/translate.ts'
import { useSession } from '../../../session/session.ts'
import { LoadingButton } from '../../../ui/LoadingButton.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useSnackbar } from '../../../ui/use-snackbar.ts'
import { downloadFile } from '../download-file.ts'

interface Props {
  open: boolean
  codes: readonly string[]
  onClose: () => void
}

/** Shows new recovery codes. They cannot be shown again, so only a checked box closes the dialog. */
export function RecoveryCodesDialog({ open, codes, onClose }: Props) {
  const id = useId()
  return (
    <Dialog open={open} maxWidth="xs" fullWidth aria-labelledby={`${id}-title`} aria-describedby={`${id}-text`}>
      <Codes id={id} codes={codes} onClose={onClose} />
    </Dialog>
  )
}

function Codes({ id, codes, onClose }: Omit<Props, 'open'> & { id: string }) {
  const { user } = useSession()
  const { showError, showNotice } = useSnackbar()
  const [areSaved, setAreSaved] = useState(false)

  async function handleCopy() {
    try {
      await copyText(codes.join('\n'))
      showNotice(t('profile.signIn.copied'))
    } catch {
      showError(t('profile.signIn.copyFailed'))
    }
  }

  function handleDownload() {
    const heading = t('profile.signIn.fileHeading', { email: user?.email ?? '', server: new URL(serverOrigin()).host })
    const text = [heading, '', ...codes, ''].join('\n')
    downloadFile(new Blob([text], { type: 'text/plain' }), t('profile.signIn.fileName'))
  }

  return (
    <>
      <DialogTitle id={`${id}-title`}>{t('profile.signIn.saveTitle')}</DialogTitle>
      <DialogContent>
        <Typography id={`${id}-text`} color="textSecondary">
          {t('profile.signIn.saveText')}
        </Typography>
        <Box
          component="ol"
          aria-label={t('profile.signIn.recoveryCodes')}
          sx={{
            listStyle: 'none',
            m: 0,
            my: 2,
            p: 1.5,
            display: 'grid',
            gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
            justifyItems: 'center',
            gap: 0.75,
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            fontFamily: 'ui-monospace, monospace',
            fontSize: '0.9375rem',
          }}
        >
          {codes.map((code) => (
            <Box component="li" key={code} sx={{ whiteSpace: 'nowrap' }}>
              <span aria-hidden>{code}</span>
              <span style={{ ...visuallyHidden, userSelect: 'none' }}>{spoken(code)}</span>
            </Box>
          ))}
        </Box>
        <Stack direction={{ xs: 'column', sm: 'row' }} spacing={1.5}>
          <Button fullWidth variant="outlined" startIcon={<ContentCopyRounded />} onClick={() => void handleCopy()}>
            {t('profile.signIn.copy')}
          </Button>
          <Button fullWidth variant="outlined" startIcon={<DownloadRounded />} onClick={handleDownload}>
            {t('profile.signIn.download')}
          </Button>
        </Stack>
        <FormControlLabel
          sx={{ mt: 1.5 }}
          control={<Checkbox checked={areSaved} onChange={(_, checked) => setAreSaved(checked)} />}
          label={t('profile.signIn.savedCodes')}
        />
      </DialogContent>
      <DialogActions>
        <LoadingButton variant="contained" isWorking={false} isDisabled={!areSaved} onClick={onClose}>
          {t('profile.signIn.done')}
        </LoadingButton>
      </DialogActions>
    </>
  )
}

/** Screen readers read the letters of each group one by one, with a pause between groups. */
function spoken(code: string): string {
  return code
    .split('-')
    .map((group) => [...group].join(' '))
    .join(', ')
}
