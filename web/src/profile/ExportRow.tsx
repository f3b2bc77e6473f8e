import { exportAccount } from '@hither/contract/users.ts'
import { messageOf } from '../api/api-error.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { ActionRow } from './ActionRow.tsx'
import { useExportAccount } from './profile.api.ts'
import { RowButton } from './RowButton.tsx'
import { securityStrings as strings } from './security-strings.ts'

export function ExportRow() {
  const exporting = useExportAccount()
  const { showError, showNotice } = useSnackbar()

  async function handleExport() {
    try {
      save(await exporting.mutateAsync(), exportAccount.download)
      showNotice(strings.exportDone)
    } catch (error) {
      showError(messageOf(error, strings.exportFailed))
    }
  }

  return (
    <ActionRow label={strings.exportData} text={strings.exportText}>
      <RowButton
        name={strings.exportData}
        label={strings.exportAction}
        isWorking={exporting.isPending}
        onClick={handleExport}
      />
    </ActionRow>
  )
}

/** A link cannot carry the token, so the answer is saved from here. */
function save(data: unknown, fileName: string) {
  const url = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
