import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { ConfigError } from '../server/src/config/values.ts'
import { readConfig } from '../server/src/config.ts'

/** Creates the bucket of `STORAGE_URL`. It is no error if the bucket exists already. */
async function main(): Promise<string> {
  const { storage } = readConfig(process.env)
  if (storage === null) throw new ConfigError('STORAGE_URL must be set.')
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = storage
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
  } catch (error) {
    const { name } = error as Error
    if (!['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(name)) throw error
  } finally {
    client.destroy()
  }
  return bucket
}

try {
  process.stdout.write(`The bucket ${await main()} is there.\n`)
} catch (error) {
  process.stderr.write(`The bucket could not be made. ${(error as Error).message}\n`)
  process.exit(1)
}
